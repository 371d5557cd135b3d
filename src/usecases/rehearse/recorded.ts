// What a plan has read, kept as it was answered while it is made: a copy of the account is made from it. Nothing of it
// is written anywhere.
import type { Json } from '../../model/json.ts';
import { ApiError } from '../../platform/api-error.ts';
import type { Client } from '../../platform/http.ts';

/** One question and its answer. */
export interface RecordedAnswer {
  readonly method: 'GET' | 'POST';
  /** With its query. */
  readonly path: string;
  readonly asked?: Json;
  readonly status: number;
  readonly code?: string | null;
  readonly body?: Json;
}

/** The client, and the answers that it got so far. */
export function recording(client: Client): { readonly client: Client; readonly answers: readonly RecordedAnswer[] } {
  const answers: RecordedAnswer[] = [];
  const keep = async (question: Pick<RecordedAnswer, 'method' | 'path' | 'asked'>, asked: Promise<Json>) => {
    try {
      const body = await asked;
      answers.push({ ...question, status: 200, body });
      return body;
    } catch (error) {
      if (error instanceof ApiError && error.status !== null)
        answers.push({ ...question, status: error.status, code: error.code });
      throw error;
    }
  };
  return {
    answers,
    client: {
      ...client,
      read: (path, options) => keep({ method: 'GET', path }, client.read(path, options)),
      ask: (path, body, options) => keep({ method: 'POST', path, asked: body }, client.ask(path, body, options)),
    },
  };
}
