// What a read of a resource rested on: which paths it asked, and a digest of what they answered. Where a later read gets
// the same answers it would find the same state, so nothing is worked out again.
import { createHash } from 'node:crypto';
import type { Json } from '../../model/json.ts';
import { ApiError } from '../../platform/api-error.ts';
import type { RootAccess } from './live-root.ts';

/** Plain JSON, kept in `private`. */
export interface Fingerprint {
  readonly paths: readonly string[];
  readonly digest: string;
}

export interface WatchedReads {
  readonly access: RootAccess;
  /** Of all that was read through the access; undefined: a read failed, asked by a POST, or was answered anew meanwhile. */
  readonly fingerprint: () => Promise<Fingerprint | undefined>;
}

type Answers = ReadonlyMap<string, Promise<Json>>;

/** Watches what is read through an access. `engine`: what works a state out of answers; another one may do so otherwise. */
export function watchReads(access: RootAccess, engine: string): WatchedReads {
  const { client } = access;
  const answers = new Map<string, Promise<Json>>();
  let isRepeatable = true;
  return {
    access: {
      ...access,
      client: {
        read: (path, options) => {
          const answer = client.read(path, options);
          isRepeatable &&= (answers.get(path) ?? answer) === answer;
          answers.set(path, answer);
          return answer;
        },
        ask: (path, body, options) => {
          isRepeatable = false;
          return client.ask(path, body, options);
        },
      },
    },
    fingerprint: async () => {
      const digest = await digestOf(engine, answers);
      return isRepeatable && digest !== undefined ? { paths: [...answers.keys()], digest } : undefined;
    },
  };
}

/** Whether the paths answer now what they answered then. */
export async function answersTheSame(
  { client }: RootAccess,
  engine: string,
  { paths, digest }: Fingerprint,
): Promise<boolean> {
  return (await digestOf(engine, new Map(paths.map((path) => [path, client.read(path)])))) === digest;
}

/** undefined: not all of them are answered. That there is nothing is an answer; what may pass is none. */
async function digestOf(engine: string, answers: Answers): Promise<string | undefined> {
  const settled = await Promise.allSettled(answers.values());
  const paths = [...answers.keys()];
  const hash = createHash('sha256').update(engine);
  for (const [index, answer] of settled.entries()) {
    const said = answer.status === 'fulfilled' ? digestOfAnswer(answer.value) : refusalIn(answer.reason);
    if (said === undefined) return undefined;
    hash.update(`\n${String(paths[index])} ${said}`);
  }
  return hash.digest('base64url');
}

/** By answer: many resources share the lists of an account, which are long. */
const known = new WeakMap<object, string>();

function digestOfAnswer(answer: Json): string {
  if (typeof answer !== 'object' || answer === null) return JSON.stringify(answer);
  const before = known.get(answer);
  if (before !== undefined) return before;
  const digest = createHash('sha256').update(JSON.stringify(answer)).digest('base64url');
  known.set(answer, digest);
  return digest;
}

function refusalIn(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || !['not-found', 'conflict'].includes(error.kind)) return undefined;
  return `${String(error.status)} ${String(error.code)}`;
}
