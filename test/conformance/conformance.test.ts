import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../src/sandbox/rules/catalogue.ts';
import { behaviours } from '../../src/sandbox/rules/rules.ts';
import { cases } from './cases.ts';
import { runCase } from './context.ts';
import { prove } from './prove.ts';
import { ROOT, RULES_FILE, missing, renderMarkdown, reportRules } from './report.ts';

describe('the sandbox does what the documents say', () => {
  it.each(cases.map((one) => [one.rule, one.title, one] as const))('%s: %s', async (_rule, _title, one) => {
    await runCase(one);
  });
});

describe('the catalogue of rules', () => {
  it('has a case for every rule that the sandbox owes', () => {
    expect(missing(reportRules()).map(({ entry }) => entry.id)).toEqual([]);
  });

  it('names each rule once, and every case names a rule of it', () => {
    const ids = CATALOGUE.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(cases.map((one) => one.rule.split('/')[0]).filter((id) => !ids.includes(id ?? ''))).toEqual([]);
  });

  it('has a case under the very id of each behaviour', () => {
    const proved = new Set(cases.map((one) => one.rule));
    expect(
      behaviours()
        .map(({ id }) => id)
        .filter((id) => !proved.has(id)),
    ).toEqual([]);
  });

  it('is committed as a table that is up to date (npm run rules -- --write)', () => {
    expect(readFileSync(join(ROOT, RULES_FILE), 'utf8')).toBe(renderMarkdown(reportRules()));
  });
});

describe('the prover', () => {
  it.each(['CNV-01', 'CNV-10/first', 'DOM-08', 'CDN-08'])('notices when %s is switched off', async (id) => {
    const behaviour = behaviours().find((one) => one.id === id);
    expect(behaviour).toBeDefined();
    if (behaviour !== undefined) expect((await prove(behaviour)).noticedBy).not.toBeNull();
  });

  it('notices nothing where no case belongs to the behaviour', async () => {
    expect((await prove({ id: 'RTY-01', statement: 'nothing' })).noticedBy).toBeNull();
  });
});
