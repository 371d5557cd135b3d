// The reports that GitLab reads beside a merge request: Code Quality at lines, JUnit. Their forms are those of its
// documents.
import { describe, expect, it } from 'vitest';
import { renderCodeQuality } from '../../../src/report/annotations/code-quality.ts';
import { renderJunit } from '../../../src/report/annotations/junit.ts';
import type { Note } from '../../../src/report/annotations/notes.ts';
import { planNotes } from '../../../src/report/annotations/notes.ts';
import { shopPlan } from '../samples.ts';
import { matching } from '../../support/matchers.ts';

const place = (file: string): string | undefined => (file.startsWith('/') ? undefined : `accounts/stage/${file}`);
const error: Note = {
  level: 'error',
  check: 'HW1201',
  title: 'HW1201 No such "field"',
  message: 'It is <wrong> & \u0007 odd',
  isFinding: true,
  source: { file: 'sites/shop.yaml', line: 7, column: 3 },
};

interface Entry {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: string;
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const quality = (notes: readonly Note[]): readonly Entry[] =>
  JSON.parse(renderCodeQuality(notes, place)) as readonly Entry[];

describe('Code Quality', () => {
  it('has the documented fields of what has a line in the repository, and nothing of what has none', () => {
    const { source, ...nowhere } = error;
    expect(source?.line).toBe(7);
    const outside: Note = { ...error, source: { file: '/etc/x.yaml', line: 1, column: 1 } };
    expect(quality([error, nowhere, outside])).toEqual([
      {
        description: 'HW1201 No such "field": It is <wrong> & \u0007 odd',
        check_name: 'HW1201',
        fingerprint: matching(/^[0-9a-f]{64}$/),
        severity: 'critical',
        location: { path: 'accounts/stage/sites/shop.yaml', lines: { begin: 7 } },
      },
    ]);
    expect(renderCodeQuality([], place)).toBe('[]');
  });

  it('tells what is there twice apart, and knows what only moved', () => {
    const moved: Note = { ...error, source: { file: 'sites/shop.yaml', line: 9, column: 3 } };
    const [first, second] = quality([error, moved]);
    expect(first?.fingerprint).not.toBe(second?.fingerprint);
    expect(quality([moved])[0]?.fingerprint).toBe(first?.fingerprint);
  });

  it('has the actions of a plan at their lines', () => {
    const notes = planNotes(shopPlan, []);
    const withLine = notes.filter(({ source }) => source !== undefined);
    expect(withLine.length).toBeGreaterThan(0);
    expect(quality(notes)).toHaveLength(withLine.length);
    for (const { check_name: check, severity } of quality(notes)) {
      expect(check).toMatch(/^(HW\d{4}|plan-[a-z]+)$/);
      expect(['info', 'minor', 'major', 'critical', 'blocker']).toContain(severity);
    }
  });
});

describe('JUnit', () => {
  it('fails what is wrong, skips what cannot be done now, and passes the rest; names are told apart', () => {
    const stuck: Note = {
      level: 'warning',
      check: 'plan-stuck',
      title: 'Blocked',
      message: 'm',
      isFinding: false,
      isStuck: true,
    };
    const plain: Note = { level: 'notice', check: 'plan-create', title: '+ Site/shop', message: 'm', isFinding: false };
    const text = renderJunit('hostwright', [error, error, stuck, plain], place);
    expect(text).toContain('<testsuites tests="4" failures="2" skipped="1" errors="0">');
    expect(text).toContain(
      '<testcase classname="HW1201" name="HW1201 No such &quot;field&quot;" file="accounts/stage/sites/shop.yaml"><failure message="HW1201 No such &quot;field&quot;" type="HW1201">accounts/stage/sites/shop.yaml:7: It is &lt;wrong&gt; &amp; ? odd</failure></testcase>',
    );
    expect(text).toContain('name="HW1201 No such &quot;field&quot; (2)"');
    expect(text).toContain('<testcase classname="plan-stuck" name="Blocked"><skipped message="m"/></testcase>');
    expect(text).toContain('<system-out>m</system-out>');
  });

  it('is one test that passed where there is nothing to tell', () =>
    expect(renderJunit('hostwright', [], place)).toMatch(/tests="1" failures="0"[^]*<testcase [^>]*><\/testcase>/));
});
