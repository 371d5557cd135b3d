// What each write of each kind sends, made of the kind's sample: reviewed as a text. Answers that the documents give are
// in documented-answers; `requests.txt` is renewed with `npx vitest run test/kinds/requests -u`.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { registry } from '../../src/kinds/index.ts';
import type { RequestStep } from '../../src/model/plan/step.ts';
import { sampleWrites } from '../support/samples.ts';

function lineOf({ method, path, body, idempotent, answers, skipIf, recovery, recheck, rule }: RequestStep): string {
  const to = path.map((part) => (typeof part === 'string' ? part : '$')).join('');
  const kept = answers.flatMap(({ capture = {} }) => Object.keys(capture));
  return [
    `${method} ${to}`,
    ...(body === undefined ? [] : [JSON.stringify(body)]),
    ...(idempotent ? [] : ['(sent once)']),
    ...(recheck === true ? ['(looks again first)'] : []),
    ...(skipIf === undefined ? [] : [`(unless ${skipIf.reason})`]),
    ...(recovery === undefined ? [] : [`(lost: looked for, then ${recovery.ifNotFound})`]),
    ...(kept.length === 0 ? [] : [`keeps ${[...new Set(kept)].join(', ')}`]),
    `[${rule}]`,
  ].join(' ');
}

it('every write of every kind sends what was reviewed', async () => {
  const text = [...registry.values()]
    .flatMap(sampleWrites)
    .map(([name, requests]) => [name, ...requests.map((step) => `  ${lineOf(step)}`)].join('\n'))
    .join('\n');
  await expect(`${text}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'requests.txt'));
});
