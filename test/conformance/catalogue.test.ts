import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CATALOGUE } from './catalogue/catalogue.ts';
import { cases } from './cases.ts';
import { ROOT, RULES_FILE, aspects, missing, renderMarkdown, reportRules, unplayed } from './report.ts';

const ids = CATALOGUE.map(({ id }) => id);

describe('the catalogue of rules', () => {
  it('has a case for every rule that the sandbox owes', () => {
    expect(missing(reportRules()).map(({ entry }) => entry.id)).toEqual([]);
  });

  it('is named in the sandbox for every rule that the sandbox owes', () => {
    expect(unplayed(reportRules()).map(({ entry }) => entry.id)).toEqual([]);
  });

  it('names each rule once, and every case names a rule of it', () => {
    expect(new Set(ids).size).toBe(ids.length);
    expect(cases.map(({ rule }) => rule.split('/')[0] ?? '').filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('has a case under the very id of each aspect of a rule that the sandbox names', () => {
    const proved = new Set(cases.map(({ rule }) => rule));
    expect(aspects().filter((id) => !proved.has(id))).toEqual([]);
  });

  it('is committed as a table that is up to date (npm run rules -- --write)', () => {
    expect(readFileSync(join(ROOT, RULES_FILE), 'utf8')).toBe(renderMarkdown(reportRules()));
  });
});
