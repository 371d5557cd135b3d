// Reads that only a report needs: DNS records, values for other providers. One that fails is told beside what was read.
import type { Json } from '../../model/json.ts';
import { ApiError } from '../../platform/api-error.ts';
import type { Client } from '../../platform/http.ts';

export interface OptionalAnswers {
  /** By name; without what is not there or could not be read. */
  readonly answers: Readonly<Record<string, Json>>;
  readonly failed: readonly { readonly path: string; readonly message: string }[];
}

/**
 * Asks for each name the paths in their order until one is there (404 and 405 mean that it is not). Throws where the
 * credential is refused, for then the whole run ends.
 */
export async function readOptional(
  client: Pick<Client, 'read'>,
  reads: Readonly<Record<string, readonly string[]>>,
): Promise<OptionalAnswers> {
  const answers: Record<string, Json> = {};
  const failed: { readonly path: string; readonly message: string }[] = [];
  for (const [name, paths] of Object.entries(reads))
    for (const path of paths) {
      try {
        answers[name] = await client.read(path);
        break;
      } catch (error) {
        if (!(error instanceof ApiError) || error.kind === 'unauthorised') throw error;
        if (error.status === 404 || error.status === 405) continue;
        failed.push({ path, message: error.message });
        break;
      }
    }
  return { answers, failed };
}
