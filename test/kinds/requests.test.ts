// What each write of each kind does, step by step, made of the kind's sample: reviewed as a text, which
// `npx vitest run test/kinds/requests -u` renews.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { registry } from '../../src/areas/index.ts';
import type { Step } from '../../src/model/plan/step.ts';
import { sampleSteps } from '../support/samples.ts';

function lineOf(step: Step): string {
  if (step.do !== 'request') return `${step.do} (${step.name})`;
  const { method, path, body, idempotent, answers, skipIf, recovery, recheck, rule } = step;
  const to = path.map((part) => (typeof part === 'string' ? part : '$')).join('');
  const kept = answers.flatMap(({ capture = {} }) => Object.keys(capture));
  return [
    `${method} ${to}`,
    ...(body === undefined ? [] : [JSON.stringify(body)]),
    ...(idempotent ? [] : ['(sent once)']),
    ...(recheck === true ? ['(looks again first)'] : []),
    ...(skipIf === undefined ? [] : [`(unless ${skipIf.reason})`]),
    ...(recovery === undefined
      ? []
      : [`(lost: looked for, then ${[recovery.ifNotFound, recovery.guarded ?? []].flat().join(' ')})`]),
    ...(kept.length === 0 ? [] : [`keeps ${[...new Set(kept)].join(', ')}`]),
    `[${rule}]`,
  ].join(' ');
}

it('every write of every kind does what was reviewed', async () => {
  const text = [...registry.values()]
    .flatMap(sampleSteps)
    .map(([name, steps]) => [name, ...steps.map((step) => `  ${lineOf(step)}`)].join('\n'))
    .join('\n');
  await expect(`${text}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'requests.txt'));
});
