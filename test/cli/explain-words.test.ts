// Every word that plans, drift reports and outcomes print has an answer in `explain`. The words are taken from where
// the reports take them, and from plans that are printed.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kindMeant, MEANT } from '../../src/areas/words.ts';
import { DRIFT_CLASSES } from '../../src/model/plan/drift.ts';
import { EXIT_CODES } from '../../src/model/plan/outcome.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { APPROVABLE } from '../../src/model/plan/plan.ts';
import { groupsOf } from '../../src/report/blocks/groups.ts';
import { RESULT_WORDS, RISK_WORDS, VERB_MARKS } from '../../src/report/view/document.ts';
import { driftGroups } from '../../src/report/view/drift.ts';
import { explainWord } from '../../src/usecases/explain/words.ts';
import { runHere } from '../support/processes/run-here.ts';

const GOLDEN = join(import.meta.dirname, '../golden');

const entry = { address: 'Site/shop', reason: 'so it is', remedy: '' };
const plan = {
  blocked: [entry],
  waiting: [entry],
  manual: [entry],
  unknown: [entry],
  deferred: [{ address: 'Site/shop', until: 'Site/docs', reason: 'so it is' }],
  actions: [],
} as unknown as Plan;
const drift = DRIFT_CLASSES.map((one) => ({ address: 'Site/shop', class: one, is: 'changed', fields: [] }) as const);

const WORDS: readonly string[] = [
  ...Object.entries(RISK_WORDS).flat(),
  ...Object.entries(RESULT_WORDS).flat(),
  ...Object.keys(VERB_MARKS),
  ...Object.keys(EXIT_CODES),
  ...APPROVABLE,
  ...DRIFT_CLASSES,
  ...groupsOf(plan).map(({ title }) => title),
  ...driftGroups(drift).map(({ title }) => title),
  'Orphaned',
  'Unmanaged',
  'ignored',
];

/** Words in capital letters that are no words of ours: methods, records, values of the examples. */
const FOREIGN = ['CNAME', 'DELETE', 'DENY', 'DKIM', 'DNSSEC', 'NAME', 'PATCH', 'POST', 'USERNAME'];

function printedCapitals(): readonly string[] {
  const texts = readdirSync(GOLDEN)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => readFileSync(join(GOLDEN, name), 'utf8'));
  const words = texts.flatMap((text) => text.match(/\b[A-Z]{4,}(?: [A-Z]{2,})*\b/g) ?? []);
  return [...new Set(words)].filter((word) => !FOREIGN.includes(word)).sort();
}

describe('what people call a kind', () => {
  it.each([...MEANT])('%s is %s', async (word, kind) => {
    const run = (asked: string) => runHere(['explain', asked], { cwd: '/', env: {} });
    const { stderr, code } = await run(`${word}s`);
    // A field of this name is worth more than a guess.
    if (code !== 0) expect(stderr).toMatch(/Did you mean `[\w.[\]]+`/);
    expect(kindMeant(`${word}s`)).toBe(kind);
    expect((await run(kind)).code).toBe(0);
  });

  it('goes by meaning, where spelling leads elsewhere', async () => {
    const { stderr } = await runHere(['explain', 'website'], { cwd: '/', env: {} });
    expect(stderr).toContain('There is no kind `website`. Did you mean `Site`?');
  });
});

describe('explain', () => {
  it.each([...new Set([...WORDS, ...printedCapitals()])])('knows the word %s', async (word) => {
    const { stdout, stderr, code } = await runHere(['explain', ...word.split(' ')], { cwd: '/', env: {} });
    expect([stderr, code]).toEqual(['', 0]);
    expect(stdout).toMatch(/^\S.* {2}a word of plans\n\n *Means +[A-Z].*\./s);
  });

  it('takes them as plans print them, and tells them in every form', async () => {
    expect(printedCapitals()).toContain('EXPOSES');
    for (const asked of ['EXPOSES', 'exposure', 'Exposes', 'EXPOSES #2, #4', '`EXPOSES`'])
      expect(explainWord(asked.replaceAll('`', ''))).toMatchObject({ word: 'EXPOSES' });
    const run = (format: string) => runHere(['explain', 'CHARGES', '-o', format], { cwd: '/', env: {} });
    expect((await run('markdown')).stdout).toMatch(/^# CHARGES\n\na word of plans\n\n- \*\*Means\*\*: /);
    expect(JSON.parse((await run('json')).stdout)).toMatchObject({ word: { word: 'CHARGES' } });
  });

  it('answers a kind before a word, and refuses what is neither', async () => {
    expect((await runHere(['explain', 'Site'], { cwd: '/', env: {} })).stdout).toMatch(/^Site /);
    expect((await runHere(['explain', 'nonsense', 'words'], { cwd: '/', env: {} })).code).toBe(1);
  });
});
