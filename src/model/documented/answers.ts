// Every error answer that the platform's documents give, for each endpoint, and what it means. One table for reads and
// writes: `platform` asks it whether a read is worth repeating, `apply` asks it what became of a request. It must not
// look at message text (CNV-19): endpoint, status and code decide together (CNV-22, CNV-23).
import { CORE } from './core.ts';
import { MAIL } from './mail.ts';
import { PANEL_AND_REGISTRATION } from './panel-and-registration.ts';
import type { DocumentedAnswer } from './rows.ts';
import type { Method } from '../plan/step.ts';

export type { AnswerMeaning, DocumentedAnswer } from './rows.ts';

export interface DocumentedEndpoint {
  readonly method: Method;
  /** `:word` stands for one segment. */
  readonly path: string;
  readonly answers: readonly DocumentedAnswer[];
}

/** Every documented endpoint with its documented answers; of two rows for one status and code the first counts. */
export const DOCUMENTED_ENDPOINTS: readonly DocumentedEndpoint[] = Object.entries({
  ...CORE,
  ...MAIL,
  ...PANEL_AND_REGISTRATION,
}).map(([key, answers]) => {
  const [method, path] = key.split(' ') as [Method, string];
  return { method, path, answers };
});

/** The documented endpoint that a request goes to; of several that fit, the one with the most words of its own. */
export function documentedEndpoint(method: string, path: string): DocumentedEndpoint | undefined {
  const wanted = segmentsOf(path);
  const fitting = DOCUMENTED_ENDPOINTS.filter(
    (endpoint) => endpoint.method === method && fits(segmentsOf(endpoint.path), wanted),
  );
  return fitting.sort((left, right) => placeholdersIn(left) - placeholdersIn(right))[0];
}

/** What the documents say of an answer; undefined where they say nothing. A named code goes before a bare status. */
export function documentedAnswer(
  method: string,
  path: string,
  status: number,
  code: string | null,
): DocumentedAnswer | undefined {
  const answers = (documentedEndpoint(method, path)?.answers ?? []).filter((answer) => answer.status === status);
  return answers.find((answer) => answer.code === code) ?? answers.find((answer) => answer.code === null);
}

function segmentsOf(path: string): readonly string[] {
  return path.replace(/\?.*$/, '').split('/');
}

function fits(template: readonly string[], path: readonly string[]): boolean {
  if (template.length !== path.length) return false;
  return template.every((segment, index) => segment.startsWith(':') || segment === path[index]);
}

function placeholdersIn({ path }: DocumentedEndpoint): number {
  return path.split(':').length;
}
