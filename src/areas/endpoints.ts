// Every endpoint of the platform that is known here, and what its answers mean: the tables of all areas as one. `platform`
// asks it whether a read is worth repeating, `apply` what became of a request, the planner what an action needs.
import type { Method, PathTemplate } from '../model/plan/step.ts';
import type { Requirement } from '../model/plan/plan.ts';
import { accountEndpoints } from './account/endpoints.ts';
import { cdnEndpoints } from './cdn/endpoints.ts';
import type { DocumentedAnswer, Rows } from './endpoint.ts';
import { mailEndpoints } from './mail/endpoints.ts';
import { panelEndpoints } from './panel/endpoints.ts';
import { registrationEndpoints } from './registration/endpoints.ts';
import { shieldEndpoints } from './shield/endpoints.ts';
import { siteEndpoints } from './site/endpoints.ts';
import { userEndpoints } from './user/endpoints.ts';

export type { AnswerMeaning, DocumentedAnswer } from './endpoint.ts';

export interface Endpoint {
  readonly method: Method;
  /** `:word` stands for one segment. */
  readonly path: string;
  readonly requires: Requirement;
  /** Of two for one status and code the first counts. */
  readonly answers: Rows;
}

export const ENDPOINTS: readonly Endpoint[] = Object.entries({
  ...accountEndpoints,
  ...siteEndpoints,
  ...cdnEndpoints,
  ...shieldEndpoints,
  ...mailEndpoints,
  ...registrationEndpoints,
  ...panelEndpoints,
  ...userEndpoints,
}).map(([key, [requires, answers]]) => {
  const [method, path] = key.split(' ') as [Method, string];
  return { method, path, requires, answers };
});

interface Candidate {
  readonly endpoint: Endpoint;
  readonly segments: readonly string[];
}

/** By method and number of segments; those with more words of their own first. */
const byLength = new Map<string, Candidate[]>();
for (const endpoint of ENDPOINTS) {
  const segments = endpoint.path.split('/');
  const key = `${endpoint.method} ${segments.length}`;
  byLength.set(key, [...(byLength.get(key) ?? []), { endpoint, segments }]);
}
for (const candidates of byLength.values())
  candidates.sort((left, right) => placeholdersIn(left.segments) - placeholdersIn(right.segments));

function placeholdersIn(segments: readonly string[]): number {
  return segments.filter((segment) => segment.startsWith(':')).length;
}

/** The endpoint that a request goes to; of several that fit, the one with the most words of its own. */
export function endpointOf(method: string, path: string): Endpoint | undefined {
  const wanted = path.replace(/\?.*$/, '').split('/');
  return byLength
    .get(`${method} ${wanted.length}`)
    ?.find(({ segments }) => segments.every((segment, index) => segment.startsWith(':') || segment === wanted[index]))
    ?.endpoint;
}

/** What the documents say of an answer; undefined where they say nothing. A named code goes before a bare status. */
export function documentedAnswer(
  method: string,
  path: string,
  status: number,
  code: string | null,
  messages: readonly string[] = [],
): DocumentedAnswer | undefined {
  const answers = endpointOf(method, path)?.answers.filter(
    ({ status: one, message }) =>
      one === status && (message === undefined || messages.some((text) => text.includes(message))),
  );
  return answers?.find((answer) => answer.code === code) ?? answers?.find((answer) => answer.code === null);
}

/** The path of a step, with a placeholder for each part that is filled in. */
export function pathOf(path: PathTemplate): string {
  return path.map((part) => (typeof part === 'string' ? part : ':')).join('');
}
