// An error as the client makes it: with what the documents say of its answer.
import { documentedAnswer } from '../../src/areas/endpoints.ts';
import { ApiError } from '../../src/platform/api-error.ts';

export function documentedError(method: 'GET' | 'POST', path: string, error: ApiError): ApiError {
  const { kind, message, status, code, messages, extra, sent, attempts } = error;
  const documented = documentedAnswer(method, path, status ?? 0, code, messages);
  const common = { kind, message, status, code, messages, extra, sent, attempts };
  return new ApiError({ ...common, ...(documented !== undefined && { documented }) });
}
