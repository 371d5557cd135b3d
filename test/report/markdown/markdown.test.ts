// What a reviewer reads in a pull request: golden files of whole comments, that nothing in them can be markup, and that
// they always fit.
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import type { Action, Plan } from '../../../src/model/plan/plan.ts';
import type { Rehearsal } from '../../../src/model/plan/rehearsal.ts';
import type { Limit } from '../../../src/report/markdown/fit.ts';
import { COMMENT, STEP_SUMMARY } from '../../../src/report/markdown/fit.ts';
import { readApprovedSet } from '../../../src/report/blocks/mark.ts';
import { problemsReport, validationReport } from '../../../src/report/blocks/problems.ts';
import { writeMarkdown } from '../../../src/report/markdown/write.ts';
import { isBalanced, liveParts, nodesOf } from '../../support/markdown.ts';
import { outcomeMarkdown, planMarkdown, planText } from '../../support/reports.ts';
import { expectGolden } from '../golden.ts';
import {
  actionOf,
  create,
  error,
  NEW,
  OLD,
  outcomeOf,
  planOf,
  promote,
  remove,
  SHOP,
  shopPlan,
  warning,
} from '../samples.ts';

const DIGEST = 'ab12'.repeat(16);
const problems = (diagnostics: readonly Diagnostic[], limit: Limit = COMMENT): string =>
  writeMarkdown(problemsReport({ diagnostics, outcome: 'error', what: 'plan' }), limit) ?? '';

const blockers = planOf({
  blocked: [
    {
      address: 'Site/shop/Caching',
      reason: 'the CDN of the site is not active',
      remedy: 'Activate it in the dashboard.',
      rule: 'GAP-20',
    },
  ],
  unknown: [{ address: 'Site/old', reason: 'the answer is not what the documents say', remedy: '' }],
  waiting: [
    {
      address: NEW,
      reason: 'its create is in flight from an earlier run',
      remedy: 'Run `hostwright apply --resume` to continue it.',
    },
  ],
  manual: [{ address: 'Mailspace/example.com', reason: 'a resize has no call', remedy: 'Resize it in the dashboard.' }],
  deferred: [
    { address: 'Site/shop/Shield', until: SHOP, reason: 'cannot be observed before that step', declared: 'd' },
  ],
  unmanaged: shopPlan.unmanaged,
  notices: [warning],
});

describe('a plan', () => {
  it('shows what matters, folds the rest, and carries what a review approves', () => {
    const plan = { ...shopPlan, actions: shopPlan.actions.map((action) => ({ ...action, digest: DIGEST })) };
    expectGolden('plan.md', planMarkdown(plan, { diagnostics: [error, { ...warning, summary: 'Beside the plan' }] }));
    expect(readApprovedSet(planMarkdown(plan))).toMatchObject({ digests: [DIGEST, DIGEST, DIGEST] });
  });

  it('with --verbose holds every request, with --concise no value', () => {
    expectGolden('plan.verbose.md', planMarkdown(shopPlan, { verbose: true }));
    expectGolden('plan.concise.md', planMarkdown(shopPlan, { concise: true, heading: 'Drift' }));
  });

  it('with nothing to run says what stands in the way, open, and what is only deferred, folded', () => {
    expectGolden('blockers.md', planMarkdown(blockers));
    expectGolden('empty.md', planMarkdown(planOf({}), { outcome: 'done' }));
  });

  it('shows charges, deletes, restarts and exposure outside everything that is folded', () => {
    const risky = actionOf({
      address: SHOP,
      kind: 'Site',
      verb: 'update',
      reason: 'plan differs',
      changes: [{ op: 'replace', path: '/plan', was: 'mini', value: 'pro' }],
      risk: ['restart', 'charge', 'irreversible'],
      protected: true,
    });
    const markdown = planMarkdown(planOf({ actions: [risky, promote, remove], manual: blockers.manual }));
    const open = markdown.replace(/<details(?: open)?>[^]*?<\/details>/g, '');
    for (const words of [
      '**Changes plan of site shop from mini to pro**: cannot be undone, charges (price not quoted), restarts the site',
      '**Deletes hostname old.example.com of site shop**: the ledger shows it to be ours',
      'of site shop**: lowers protection',
      'By hand (1)',
    ])
      expect(open).toContain(words);
    expect(open).not.toContain('```');
  });

  it('shows a warning about the plan as a whole outside everything that is folded, and folds what is about one object or only a notice', () => {
    const whole = {
      code: 'HW6142',
      severity: 'warning',
      summary: 'Only a part',
      detail: 'The rest was not looked at.',
    } as const;
    const markdown = planMarkdown(
      planOf({
        actions: [promote],
        notices: [
          whole,
          { ...whole, summary: 'One object', address: SHOP },
          { ...whole, summary: 'A remark', severity: 'info' },
        ],
      }),
    );
    const open = markdown.replace(/<details(?: open)?>[^]*?<\/details>/g, '');
    expect(
      ['Only a part', 'One object', 'A remark', 'Notes (2)'].map((words) => [
        markdown.includes(words),
        open.includes(words),
      ]),
    ).toEqual([
      [true, true],
      [true, false],
      [true, false],
      [true, false],
    ]);
  });

  it('counts the unchanged items of a changed list', () => {
    const action = actionOf({
      address: SHOP,
      verb: 'update',
      changes: [{ op: 'replace', path: '/list', was: ['a', 'b', 'c'], value: ['a', 'b', 'd'] }],
    });
    expect(planMarkdown(planOf({ actions: [action] }))).toContain('! list:\n-   "c"\n+   "d"\n    2 unchanged');
  });

  it('is drawn when it has an order, and is small', () => {
    expect(planMarkdown(planOf({ actions: [create] }))).not.toContain('mermaid');
    const many = Array.from({ length: 41 }, (_, index) =>
      actionOf({
        address: `Site/${index}`,
        verb: 'create',
        ...(index > 0 && { needs: [{ address: 'Site/0', rule: 'O-1', reason: 'x' }] }),
      }),
    );
    expect(planMarkdown(planOf({ actions: many }))).not.toContain('mermaid');
    const drawn = planMarkdown(
      planOf({
        actions: many.slice(0, 3).map((action, index) => ({
          ...action,
          ...(index === 2 && {
            needs: [
              ...action.needs,
              { address: 'Site/1', rule: 'O-2', reason: 'y' },
              { address: 'Site/gone', rule: 'O-3', reason: 'z' },
            ],
          }),
        })),
      }),
    );
    // What is waited for by way of another one needs no arrow of its own.
    expect(drawn.match(/-->.*/g)?.slice(1)).toEqual(['--> a2', '--> a3']);
    const [first, left, right, last] = many as [Action, Action, Action, Action];
    const need = (address: string) => ({ address, rule: 'O-2', reason: 'y' });
    const diamond = planMarkdown(
      planOf({ actions: [first, left, right, { ...last, needs: [need('Site/1'), need('Site/2'), need('Site/0')] }] }),
    );
    expect(diamond.match(/a\d+ --> a.*/g)).toEqual(['a1 --> a2', 'a1 --> a3', 'a2 --> a4', 'a3 --> a4']);
  });
});

describe('an outcome', () => {
  const actions = [
    { address: NEW, verb: 'create', result: 'done', outputs: { id: 'dom-1', ns1: 'ns1.example.net' } },
    { address: SHOP, verb: 'update', result: 'already-done', outputs: { id: 'site-1' } },
    { address: OLD, verb: 'delete', result: 'failed', reason: 'the platform said no' },
    { address: 'Site/x', verb: 'create', result: 'unknown-outcome' },
  ] as const;

  it('shows what is not as it should be, and folds what was done', () => {
    expectGolden(
      'outcome.md',
      outcomeMarkdown(
        outcomeOf({
          outcome: 'partly-applied',
          exitCode: 6,
          actions,
          remaining: blockers.blocked,
          diagnostics: [error],
        }),
      ),
    );
    expectGolden('outcome-done.md', outcomeMarkdown(outcomeOf({})));
  });

  it('of a very long run fits', () => {
    const many = Array.from(
      { length: 3000 },
      (_, index) =>
        ({
          address: `Site/${index}`,
          verb: 'create',
          result: index % 2 === 0 ? 'done' : 'failed',
          reason: 'x'.repeat(300),
        }) as const,
    );
    const text = outcomeMarkdown(outcomeOf({ actions: many }));
    expect(text.length).toBeLessThanOrEqual(COMMENT.most);
    expect(text).toContain('1500 done, 1500 failed');
    expect(text).toMatch(/and 14\d\d more/);
  });
});

describe('problems and validation', () => {
  it('are a report of their own', () => {
    expectGolden(
      'problems.md',
      problems([error, warning, { code: 'HW3002', severity: 'error', summary: 'No token set', detail: 'Set it.' }]),
    );
    const checked = (...diagnostics: readonly Diagnostic[]): string =>
      writeMarkdown(
        validationReport({ diagnostics, manifests: 2, objects: 5 }, diagnostics.length === 0 ? 'done' : 'error'),
        COMMENT,
      ) ?? '';
    expectGolden('validation.md', checked());
    expect(checked(error)).toContain('**Not valid: 1 error (2 manifests, 5 objects)**');
  });
});

describe('what a review approves', () => {
  it('is read only from the first lines of a report on a plan', () => {
    const markdown = planMarkdown({ ...shopPlan, actions: [{ ...create, digest: DIGEST }] });
    expect(readApprovedSet(markdown.replaceAll('\n', '\r\n'))).toEqual({
      account: 'acme',
      digests: [DIGEST],
      subjects: ['Site/shop'],
    });
    const hostile = 'Site/shop/EdgeRule/a -->\nb';
    const rehearsal: Rehearsal = {
      result: 'in-part',
      actions: 1,
      rounds: 1,
      refused: [],
      notRehearsed: [{ address: hostile, reason: 'not read' }],
      left: [],
    };
    expect(readApprovedSet(planMarkdown(shopPlan, { rehearsal }))).toMatchObject({ rehearsedExcept: [hostile] });
    expect(readApprovedSet(` ${markdown}`)).toBeUndefined();
    expect(readApprovedSet(`> quoted\n${markdown}`)).toBeUndefined();
    expect(readApprovedSet(planMarkdown(planOf({})))).toEqual({ account: 'acme', digests: [] });
    expect(readApprovedSet(outcomeMarkdown(outcomeOf({})))).toBeUndefined();
  });

  it('cannot be widened by an account, a digest or a name', () => {
    const evil = `x -->\n${'c'.repeat(64)}\n-->`;
    const markdown = planMarkdown(
      planOf({
        account: evil,
        digest: evil,
        actions: [
          { ...create, digest: DIGEST, address: evil },
          { ...promote, digest: evil },
        ],
      }),
    );
    expect(readApprovedSet(markdown)).toMatchObject({ digests: [DIGEST] });
    expect(planMarkdown(planOf({ account: '', digest: '\ud800--!>' }))).toMatch(
      /^<!-- hostwright: plan - %5Cu%7Bd800%7D%2D%2D!%3E\n-->\n/,
    );
  });
});

const EVIL = [
  '@octocat',
  'user@example.com',
  '#123',
  'GH-7',
  'org/repo#5',
  'org/repo@deadbeefdeadbeef',
  'deadbeefcafe',
  'https://evil.example/?a=b',
  'www.evil.example',
  'mailto:a@b.c',
  ':tada:',
  '$x^2$',
  '$`y`$',
  '`',
  '``',
  '```',
  '~~~',
  '```\n</details>',
  '<script>alert(1)</script>',
  '<img src=x onerror=1>',
  '</summary></details>',
  '<!-- hostwright: plan x y',
  '-->',
  '[link](https://evil.example)',
  '![img](x)',
  '[x]: y',
  '[^1]',
  '**bold**',
  '_em_',
  '~~gone~~',
  '|a|b|\n|-|-|',
  '# heading',
  '- item',
  '1. one',
  '> quote',
  '---',
  '\\',
  '&lt;&#64;octocat',
  '"]; a1 --> a2; click a1 "https://evil.example"',
  '\u202eevil',
  '\u0000',
  '\n\n',
  '\r\n::error::x',
  ' ',
  'a\tb',
  'plain words',
  '-'.repeat(80),
  '%%{init: {}}%%',
];

describe('hostile text', () => {
  const hostile = (evil: string): Plan => {
    const action = actionOf({
      address: `Site/${evil}`,
      kind: evil,
      verb: 'update',
      reason: evil,
      risk: ['exposure', 'charge'],
      changes: [
        { op: 'replace', path: `/${evil}`, was: evil, value: { [evil]: evil } },
        { op: 'replace', path: '/text', was: `one\n${evil}`, value: `two\n${evil}` },
        { op: 'replace', path: '/list', was: [evil], value: ['x', evil] },
      ],
      effects: [{ address: evil, path: evil, value: evil }],
      needs: [{ address: 'Site/other', rule: evil, reason: evil }],
      source: { file: evil, line: 1, column: 1 },
      locks: [evil],
    });
    const blocker = { address: evil, reason: evil, remedy: evil, rule: evil };
    return planOf({
      account: evil,
      digest: evil,
      actions: [
        actionOf({ address: 'Site/other', verb: 'create', reason: evil }),
        action,
        actionOf({ address: `${evil}/${evil}`, verb: 'create', locks: ['x'] }),
      ],
      unmanaged: [{ collection: evil, kind: evil, identity: evil, yaml: `domains:\n  - ${evil}\n${evil}` }],
      blocked: [blocker],
      unknown: [blocker],
      waiting: [blocker],
      manual: [blocker],
      deferred: [{ address: evil, until: evil, reason: evil, declared: evil }],
      notices: [
        {
          ...warning,
          summary: evil,
          detail: evil,
          address: evil,
          frame: `${evil}\n${evil}`,
          isTracked: true,
          source: { file: evil, line: 1, column: 1, endLine: 1, endColumn: 1 },
        },
      ],
    });
  };
  const outcome = (evil: string) =>
    outcomeOf({
      account: evil,
      planDigest: evil,
      actions: [
        { address: evil, verb: 'create', result: 'failed', reason: evil, outputs: { [evil]: evil } },
        { address: evil, verb: 'create', result: 'done', outputs: { [evil]: evil } },
      ],
      remaining: [{ address: evil, reason: evil, remedy: evil }],
      diagnostics: [{ ...error, detail: evil }],
    });

  it.each(EVIL)('%j is nothing but text, in every report', (evil) => {
    for (const markdown of [
      planMarkdown(hostile(evil), { verbose: true }),
      outcomeMarkdown(outcome(evil)),
      problems([{ ...error, detail: evil, summary: evil }]),
    ]) {
      expect(liveParts(markdown)).toEqual([]);
      expect(isBalanced(markdown)).toBe(true);
      expect(markdown).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/u);
    }
  });

  it('of every sort at once keeps the shape of a harmless report', () => {
    const shape = (text: string): readonly string[] =>
      nodesOf(planMarkdown(hostile(text))).flatMap(({ type }) =>
        ['heading', 'list', 'code', 'html'].includes(type) ? [type] : [],
      );
    expect(shape(EVIL.join(' '))).toEqual(shape('words'));
  });

  it('in a picture cannot end a label', () => {
    const markdown = planMarkdown(
      planOf({
        actions: [
          create,
          { ...promote, address: 'Site/"]; click a1 "x" %%', needs: [{ address: NEW, rule: '|"]', reason: 'x' }] },
        ],
      }),
    );
    const [picture = ''] = /```mermaid\n[^]*?```/.exec(markdown) ?? [];
    expect(picture).toContain('a2["2 ~ Site/#34;#93;#59; click a1 #34;x#34; #37;#37;"]');
    expect(picture).toContain('a1 --> a2');
  });
});

describe('a limit', () => {
  const big = (count: number): Plan =>
    planOf({
      actions: Array.from({ length: count }, (_, index) =>
        actionOf({
          address: `Site/site-${index}`,
          verb: (['create', 'update', 'update', 'delete'] as const)[index % 4] as 'create',
          digest: index.toString(16).padStart(64, '0'),
          reason: 'declared `and` @not #1 there',
          risk: index % 4 === 3 ? ['delete'] : index % 10 === 2 ? ['charge'] : [],
          locks: [`Site/site-${index}`],
          changes: [{ op: 'replace', path: '/name', was: '``` old', value: '😀'.repeat(60) }],
          needs: index % 4 === 1 ? [{ address: `Site/site-${index - 1}`, rule: 'O-1', reason: 'x' }] : [],
        }),
      ),
      unmanaged: Array.from({ length: count }, (_, index) => ({
        collection: 'Site/x/SiteDomain',
        kind: 'SiteDomain',
        identity: String(index),
        yaml: `domains:\n  - ${index}.example.com\n`,
      })),
      blocked: Array.from({ length: count }, (_, index) => ({
        address: `Site/stuck-${index}`,
        reason: `because \`of\` it ${index}`,
        remedy: '`'.repeat(2000),
      })),
    });

  it.each([1, 40, 150, 700, 5000])('is kept by a plan of %i actions, and nothing is cut in the middle', (count) => {
    const markdown = planMarkdown(big(count));
    expect(markdown.length).toBeLessThanOrEqual(65_536);
    expect(isBalanced(markdown)).toBe(true);
    expect(liveParts(markdown)).toEqual([]);
    expect(Buffer.from(markdown, 'utf8').toString()).toBe(markdown);
    expect(markdown).toMatch(/\*\*Plan: \d+ to create/);
    if (count >= 40) expect(markdown).toContain(`- **Deletes ${Math.floor(count / 4)} sites**: `);
  });

  it('is kept by leaving out in one order, and saying what', () => {
    const left = (most: number): string =>
      /Left out: (.*)\. A saved/.exec(planMarkdown(big(12), {}, { count: 'characters', most }))?.[1] ?? '';
    const sizes = Array.from({ length: 32 }, (_, index) => 14_000 - index * 400);
    const texts = [...new Set(sizes.map(left))].filter((text) => text !== '');
    // Each leaves out what the one before it left out, and more.
    texts.slice(1).forEach((text, index) => expect(text.startsWith(texts[index] as string)).toBe(true));
    expect(texts.at(-1)).toBe(
      'the picture of the order, the YAML of what is unmanaged, the values of creations without risk, the values of what has a risk, the list of all actions, the ends of long lists and texts, the digests that a review approves, most of each list',
    );
    expect(left(1_000_000)).toBe('');
  });

  it('that has no room for the digests says so to whoever wants to approve by them', () => {
    expect(readApprovedSet(planMarkdown(big(1200)))).toBe('too long');
    expect(planMarkdown(big(1200))).toContain('approves nothing');
    expect(planMarkdown(big(1200))).not.toContain('approves exactly');
    expect(readApprovedSet(planMarkdown(big(300)))).toMatchObject({ digests: { length: 300 } });
  });

  it('may be in bytes, and may be too small for anything', () => {
    const limit: Limit = { ...STEP_SUMMARY, most: 40_000 };
    const text = planMarkdown(big(60), {}, limit);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(40_000);
    expect(planMarkdown(big(60), {}, { ...limit, most: 100 })).toBe('');
    const framed = Array.from({ length: 60 }, () => ({ ...warning, severity: 'error' as const }));
    expect(problems(framed)).toContain('```text');
    expect(problems(framed, { ...limit, most: 15_000 })).toMatch(/^(?:(?!```)[^])+$/);
    expect(outcomeMarkdown(outcomeOf({}), {}, { ...limit, most: 10 })).toBe('');
  });
});

it('one plan says the same to a terminal and to a pull request', () => {
  const human = planText(shopPlan);
  const markdown = planMarkdown(shopPlan);
  for (const { address, reason } of shopPlan.actions)
    for (const text of [human, markdown])
      expect(text.includes(address) && (/ differs$/.test(reason) || text.includes(reason))).toBe(true);
});
