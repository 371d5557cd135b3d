// Laws over the whole registry: what a kind asks for has its rows in the table of endpoints, and each kind takes every error answer that the documents give as the one table says.
import { describe, expect, it } from 'vitest';
import type { AnswerVerdict } from '../../src/apply/answers.ts';
import { judgeAnswer } from '../../src/apply/answers.ts';
import { registry } from '../../src/areas/index.ts';
import type { DocumentedAnswer } from '../../src/areas/endpoints.ts';
import { documentedAnswer, endpointOf, pathOf } from '../../src/areas/endpoints.ts';
import type { Absences, ReadSpec } from '../../src/model/kind/kind.ts';
import type { RequestStep } from '../../src/model/plan/step.ts';
import { readsOfSteps, sampleReads, sampleWrites } from '../support/samples.ts';

const writes = [...registry.values()].flatMap(sampleWrites);
const requests = writes.flatMap(([name, steps]) => steps.map((step) => ({ name: `${name}: ${step.name}`, step })));

/** What counts of the documented answers of a step's endpoint: of two for one status and code the first. */
function documentedFor(step: RequestStep): readonly DocumentedAnswer[] {
  const { answers = [] } = endpointOf(step.method, pathOf(step.path)) ?? {};
  return answers.filter(
    (answer) => documentedAnswer(step.method, pathOf(step.path), answer.status, answer.code) === answer,
  );
}

function verdictOf(step: RequestStep, status: number, code: string | null): AnswerVerdict {
  return judgeAnswer(step, { status, code, messages: [], extra: {}, body: { code } });
}

function agrees(verdict: AnswerVerdict, { means }: DocumentedAnswer, step: RequestStep): boolean {
  switch (means) {
    case 'failed':
      return verdict.result === 'failed';
    case 'blocked':
      return verdict.result === 'blocked';
    case 'retry':
      return (
        verdict.result ===
        (!step.idempotent && (step.recovery?.ifNotFound ?? 'unknown') === 'unknown' ? 'blocked' : 'again')
      );
    case 'done':
      return verdict.result === 'taken' && verdict.then !== 'waiting' && verdict.then !== 'look-up';
    case 'unclear':
      return (
        verdict.result === 'unclear' ||
        (verdict.result === 'taken' && (verdict.then === 'look-up' || verdict.then === 'wait-for'))
      );
  }
}

const reads = [
  ...[...registry.values()].flatMap(sampleReads),
  ...writes.flatMap(([name, steps]) => readsOfSteps(steps).map((path) => [name, pathOf(path)] as const)),
];

describe('every read of every kind', () => {
  it('is looked at here', () => {
    const read = new Set(reads.map(([name]) => name.split(' ')[0]));
    const kinds = [...registry.values()].filter((kind) => Object.keys(kind.reads).length > 0);
    expect(kinds.filter(({ kind }) => !read.has(kind))).toEqual([]);
  });

  it('goes to an endpoint that the documents have', () => {
    expect(reads.filter(([, path]) => endpointOf('GET', path) === undefined)).toEqual([]);
  });

  it('takes for nothing only an answer that the documents give', () => {
    const invented = [...registry.values()].flatMap((kind) =>
      sampleReads(kind).flatMap(([name, path]) => {
        const { absences } = kind.reads[name.split(' ')[1] as string] as ReadSpec;
        return (Array.isArray(absences) ? (absences as Absences) : [])
          .filter(([status, code]) => {
            const answers = endpointOf('GET', path)?.answers.filter((answer) => answer.status === status) ?? [];
            return !answers.some((answer) => code === null || answer.code === code);
          })
          .map(([status, code]) => `${name}: ${path} ${status} ${code}`);
      }),
    );
    expect(invented).toEqual([]);
  });
});

describe('every write of every kind', () => {
  it('is looked at here', () => {
    expect(writes.filter(([, steps]) => steps.length === 0).map(([name]) => name)).toEqual([]);
    expect(requests.length).toBeGreaterThan(60);
  });

  it('goes to an endpoint that the documents have', () => {
    expect(
      requests.filter(({ step }) => endpointOf(step.method, pathOf(step.path)) === undefined).map(({ name }) => name),
    ).toEqual([]);
  });

  it.each(requests)('$name takes every documented answer as the table says', ({ step }) => {
    const wrong = documentedFor(step).flatMap((answer) => {
      const meaning = verdictOf(step, answer.status, answer.code);
      return agrees(meaning, answer, step)
        ? []
        : [`${answer.status} ${answer.code} (${answer.means}) is taken as ${meaning.result}`];
    });
    expect(wrong).toEqual([]);
  });

  it.each(requests)('$name has no row that only repeats the table', ({ step }) => {
    const bare = { ...step, answers: [] };
    const repeated = step.answers.filter(({ status, code, capture, waitFor, then }) => {
      if (
        typeof status !== 'number' ||
        status < 400 ||
        code === undefined ||
        capture !== undefined ||
        waitFor !== undefined
      )
        return false;
      const table = documentedAnswer(step.method, pathOf(step.path), status, code);
      if (table?.code !== code || then === 'look-up' || then === 'pending-external') return false;
      return verdictOf(bare, status, code).result === verdictOf(step, status, code).result;
    });
    expect(repeated.map(({ status, code }) => `${status} ${code}`)).toEqual([]);
  });

  it('RTY-07: no documented refusal of a request that is sent once leaves its outcome unknown', () => {
    const unknown = requests
      .filter(({ step }) => !step.idempotent)
      .flatMap(({ name, step }) =>
        documentedFor(step)
          .filter(
            ({ means, status, code }) =>
              ['failed', 'blocked', 'retry'].includes(means) && verdictOf(step, status, code).result === 'unclear',
          )
          .map(({ status, code }) => `${name}: ${status} ${code}`),
      );
    expect(unknown).toEqual([]);
  });
});
