// Whether a job that holds the lock of a ledger has ended, as its forge says. Only the forge of this process is asked,
// and only about jobs of its own repository: which job it was comes from the lock, everything else from the environment.
import { parseBaseUrl } from '../platform/request-url.ts';
import type { Proxies } from '../platform/proxies.ts';
import { proxiedFetch } from '../platform/undici-transport.ts';
import type { StartedBy, StartedByJob } from '../model/plan/started-by.ts';
import { isJob } from '../model/plan/started-by.ts';

export interface JobForge extends Pick<StartedByJob, 'via' | 'server' | 'repository'> {
  /** `https://api.github.com`, `https://gitlab.com/api/v4`: never taken from a lock. */
  readonly apiUrl: string;
  readonly token: string;
  readonly version: string;
  readonly proxies: Proxies;
}

const PATIENCE_MS = 10_000;

/**
 * When a job ended, in milliseconds. Undefined where it goes on, where it is none of this repository, and where the forge
 * does not answer or may not be asked: then a person decides.
 */
export async function jobEnd(forge: JobForge, by: StartedBy): Promise<number | undefined> {
  const isOurs = isJob(by) && by.via === forge.via && by.server === forge.server && by.repository === forge.repository;
  if (!isOurs || !/^\d+$/.test(by.job) || !/^\d+$/.test(by.attempt ?? '1')) return undefined;
  const { via, repository } = forge;
  const [owner = '', name = ''] = repository.split('/').map((part) => encodeURIComponent(part));
  const answer = await ask(
    forge,
    via === 'github'
      ? `/repos/${owner}/${name}/actions/runs/${by.job}/attempts/${by.attempt ?? '1'}`
      : `/projects/${encodeURIComponent(repository)}/jobs/${by.job}`,
  );
  const { status, updated_at: updatedAt, finished_at: finishedAt } = answer ?? {};
  const hasEnded =
    via === 'github' ? status === 'completed' : ['success', 'failed', 'canceled'].includes(String(status));
  const atMs = Date.parse(String(via === 'github' ? updatedAt : finishedAt));
  return hasEnded && !Number.isNaN(atMs) ? atMs : undefined;
}

interface JobAnswer {
  readonly status?: unknown;
  readonly updated_at?: unknown;
  readonly finished_at?: unknown;
}

/** One read, whose answer is believed only where it is JSON. The token goes to the API alone: no redirect is followed. */
async function ask({ apiUrl, token, version, proxies }: JobForge, path: string): Promise<JobAnswer | undefined> {
  try {
    const { origin, prefix } = parseBaseUrl(apiUrl);
    const send = proxiedFetch(origin, proxies) ?? fetch;
    const answer = await send(`${origin}${prefix}${path}`, {
      redirect: 'manual',
      headers: { accept: 'application/json', authorization: `Bearer ${token}`, 'user-agent': `hostwright/${version}` },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await answer.text();
    return answer.ok ? ((JSON.parse(text) as JobAnswer | null) ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}
