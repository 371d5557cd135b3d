// What is asked about objects that are about to be made: whether each can be had, and what it costs. An answer that
// cannot be had is unknown, never a no.
import type { Desired } from '../model/desired.ts';
import type { Kind, Blocker } from '../model/kind/kind.ts';
import type { Quote, QuoteDefinition } from '../model/kind/quote.ts';
import { quoteOf } from '../model/kind/kind.ts';
import type { JsonObject } from '../model/json.ts';
import { ShapeError } from '../model/kind/rows.ts';
import { ApiError } from '../platform/api-error.ts';
import type { Client } from '../platform/http.ts';
import { unreadAfter } from './unread.ts';

/** Without `ask` no question is put: for whoever only looks. */
export type Asker = Partial<Pick<Client, 'ask'>>;

/** What was answered, by identity. Rejects only for a refused credential and our own bugs. */
export async function askQuotes(
  { create }: Pick<Kind, 'create'>,
  wanted: readonly Desired[],
  client: Asker,
): Promise<Readonly<Record<string, Quote>> | undefined> {
  const { ask } = client;
  const quote = quoteOf(create);
  if (quote === undefined || ask === undefined) return undefined;
  const answers = await Promise.allSettled(
    wanted.map(async ({ identity, spec }) => [identity, await askOne(quote, spec, ask)] as const),
  );
  return Object.fromEntries(
    answers.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    }),
  );
}

async function askOne(quote: QuoteDefinition<JsonObject>, spec: JsonObject, ask: Client['ask']): Promise<Quote> {
  try {
    return quote.decode(await ask(quote.path, quote.body(spec)), spec);
  } catch (error) {
    if (error instanceof ShapeError)
      return {
        blocker: unknown(quote, `the answer to POST ${quote.path} is not what the documents say: ${error.message}`),
      };
    if (!(error instanceof ApiError) || error.kind === 'unauthorised') throw error;
    const why = unreadAfter(error);
    if (why === undefined || why.state === 'deferred') return { blocker: unknown(quote, error.message) };
    const { state, reason, remedy, rule } = why;
    return { blocker: { reason, remedy, rule, ...(state !== 'blocked' && { as: state }) } };
  }
}

function unknown({ rule }: Pick<QuoteDefinition<JsonObject>, 'rule'>, reason: string): Blocker {
  return { reason, remedy: 'Run plan again; what cannot be asked about is not made.', rule, as: 'unknown' };
}
