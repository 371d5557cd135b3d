// A receiver that listens, with accounts and ledgers of a test, and whoever takes its runs.
import type { Answer, Receiver, ReceiverOptions } from '../../src/events/receiver.ts';
import { createReceiver } from '../../src/events/receiver.ts';
import type { RunRequest } from '../../src/events/run-request.ts';
import { createRealClock } from '../../src/library/real-clock.ts';

export const SECRET = 'Bearer 0123456789abcdef';

export interface Ground {
  readonly url: string;
  readonly receiver: Receiver;
  readonly answers: Answer[];
  /** Run requests that were taken. */
  readonly taken: RunRequest[];
  readonly post: (path: string, body: unknown, authorization?: string | null) => Promise<Said>;
  readonly close: () => Promise<void>;
}

export interface Said {
  readonly status: number;
  readonly result: string;
  readonly message: string;
  readonly retryAfter: string | null;
}

/** `dispatch`: what happens to a run before it counts as taken. */
export async function startReceiver({
  dispatch = () => Promise.resolve(),
  ...options
}: Partial<ReceiverOptions> & { readonly dispatch?: (request: RunRequest) => Promise<void> } = {}): Promise<Ground> {
  const answers: Answer[] = [];
  const taken: RunRequest[] = [];
  const receiver = createReceiver({
    authorizations: [SECRET],
    isAccount: (account) => Promise.resolve(account.startsWith('acc-')),
    rootsOf: () => Promise.resolve(undefined),
    clock: createRealClock(),
    version: '0',
    onAnswer: (answer) => answers.push(answer),
    dispatcher: {
      name: 'the test',
      dispatch: async (request) => {
        await dispatch(request);
        taken.push(request);
      },
      close: () => Promise.resolve(),
    },
    ...options,
  });
  const url = await receiver.listen('127.0.0.1', 0);
  let closed: Promise<void> | undefined;
  return {
    url,
    receiver,
    answers,
    taken,
    post: async (path, body, authorization = SECRET) => {
      const answer = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { ...(authorization !== null && { authorization }) },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      const said = (await answer.json()) as { readonly result: string; readonly message: string };
      return { status: answer.status, ...said, retryAfter: answer.headers.get('retry-after') };
    },
    close: () => (closed ??= receiver.close()),
  };
}

export const account = { id: 'acc-acme', name: 'Acme' };

/** An event of a site, with what a test says otherwise. */
export function siteEvent(action: string, site: object = {}): object {
  return { action, site: { id: 'site-shop', name: 'shop', account, subscription: { updated_at: 'then' }, ...site } };
}

export function domainEvent(action: string, domain: object = {}): object {
  const fields = { id: 'reg-1', object: 'domain_registration', name: 'owned.example.com', expires_at: 'then', account };
  return { action, domain: { ...fields, ...domain } };
}

export function panelEvent(action: string, product = 'pro'): object {
  const named = { id: 'x1', guid: 'acmeshop', panel_username: 'acmeshop' };
  return { action, panel_account_link: { ...named, account, subscription: { product: { id: product } } } };
}

export function callback(timestamp: number, success = true): object {
  return { timestamp, success, data: 'order.site' };
}
