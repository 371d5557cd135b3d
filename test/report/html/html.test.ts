// Reports for people without an account on the forge: golden files of whole pages, and that nothing from outside is
// anything but text in them.
import { createHash } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import type { Fleet, FleetAccount } from '../../../src/model/plan/fleet.ts';
import { FLEET_FORMAT } from '../../../src/model/plan/fleet.ts';
import { problemsReport, validationReport } from '../../../src/report/blocks/problems.ts';
import { writeHtml } from '../../../src/report/html/write.ts';
import { placeBoxes } from '../../../src/report/html/layout.ts';
import { markup, markupText } from '../../../src/report/html/markup.ts';
import { HIDDEN } from '../../../src/model/kind/words.ts';
import { withoutPersonal } from '../../../src/report/view/personal.ts';
import { fleetHtml, NOW_MS, outcomeHtml, planHtml } from '../../support/reports.ts';
import { expectGolden } from '../golden.ts';
import { bigPlan, driftPlan, EVIL, hostileOutcome, hostilePlan, mixedOutcome, mixedPlan } from './html-samples.ts';
import { error, planOf, shopPlan, warning } from '../samples.ts';

/** A page without what is the same in all of them. */
function contentOf(page: string): string {
  return page.slice(page.indexOf('<title>'), page.indexOf('<script>')).replace(/<style>[^]*?<\/style>\n/, '');
}

/** Elements and attributes of a page, without what stands in them. */
function tagsOf(page: string): readonly string[] {
  const body = page.replace(/<(script|style)>[^]*?<\/\1>/g, '<$1></$1>');
  return [...body.matchAll(/<\/?([a-z0-9]+)((?: [a-z-]+(?:="[^"<>]*")?)*) ?\/?>/gi)].map(
    ([, name, attributes = '']) => `${name}${attributes.replace(/="[^"]*"/g, '')}`,
  );
}

describe('a page', () => {
  it('reads as it did: a usual plan, and one with every request', () => {
    expectGolden('plan.html', contentOf(planHtml(withoutPersonal(mixedPlan))));
    expectGolden('plan.verbose.html', contentOf(planHtml(shopPlan, { verbose: true, diagnostics: [error] })));
  });

  it('reads as it did: a run that failed in part, and drift', () => {
    expectGolden('outcome.html', contentOf(outcomeHtml(mixedOutcome)));
    expectGolden('drift.html', contentOf(planHtml(withoutPersonal(driftPlan), { heading: 'Drift' })));
  });

  it('takes nothing from elsewhere, and its policy lets nothing but its own script and style run', () => {
    for (const page of [planHtml(mixedPlan), outcomeHtml(mixedOutcome)]) {
      const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
      const hash = (name: string): string => {
        const [, inside = ''] = new RegExp(`<${name}>([^]*?)</${name}>`).exec(page) ?? [];
        return `&#39;sha256-${createHash('sha256').update(inside).digest('base64')}&#39;`;
      };
      expect(policy).toBe(
        `default-src &#39;none&#39;; script-src ${hash('script')}; style-src ${hash('style')}; base-uri &#39;none&#39;; form-action &#39;none&#39;`,
      );
      expect(page).not.toMatch(/ src=|<link|<iframe|<object|<form|@import|url\((?!#)| style="| on[a-z]+="/i);
    }
  });

  it('hides what is about people unless it is asked for', () => {
    expect(planHtml(withoutPersonal(mixedPlan))).not.toContain('Ada Vries');
    expect(planHtml(withoutPersonal(mixedPlan))).toContain(HIDDEN);
    expect(planHtml(mixedPlan)).toContain('Ada Vries');
  });

  it('says first what charges, deletes, restarts, exposes or cannot be undone, with values and place', () => {
    const page = planHtml(mixedPlan);
    const [risks = ''] = /<section id="risks"[^]*?<\/section>/.exec(page) ?? [];
    for (const text of ['12.99 EUR', 'price not quoted', 'sites/bakery.yaml:20:5', 'mode block -&gt; log'])
      expect(risks).toContain(text);
    expect(page.indexOf(risks)).toBeLessThan(page.indexOf('id="actions"'));
    expect(risks.indexOf('12.99 EUR')).toBeLessThan(risks.indexOf('primary hostname'));
  });

  it('with nothing to run says so and what stands in the way', () => {
    const page = planHtml({ ...mixedPlan, actions: [] });
    expect(page).toContain('id="blocked"');
    expect(page).not.toContain('id="actions"');
    expect(planHtml(planOf({}), { outcome: 'done' })).not.toMatch(/id="(risks|order|actions)"/);
  });

  it('says first whether apply will run it', () => {
    const guardCheck = { from: 'main', options: [], refusals: [] };
    const refusals = [
      { code: 'HW2202', reason: '2 deletes, 0 allowed', option: '--allow-deletes 2', addresses: [] },
    ] as const;
    expect(planHtml(mixedPlan, { guardCheck })).toContain('Apply will run this: allowed by the guards of main.');
    expect(planHtml(mixedPlan, { guardCheck: { ...guardCheck, refusals } })).toContain(
      'Apply will refuse this: 2 deletes, 0 allowed (guards of main). If it is meant, there are two ways.',
    );
    expect(planHtml(mixedPlan)).not.toContain('Apply will');
  });

  it('tells problems alone', () => {
    const page = writeHtml(problemsReport({ diagnostics: [error, warning], outcome: 'error', what: 'plan' }), NOW_MS);
    expect(page).toContain('1 error, 1 warning');
    expect(page).toContain('<code>phpVersoin</code>');
    const checked = { diagnostics: [warning], manifests: 2, objects: 5 };
    expect(writeHtml(validationReport(checked, 'done'), NOW_MS)).toContain('Valid: 2 manifests, 5 objects, 1 warning');
  });
});

describe('text from outside', () => {
  const pages = (evil: string): readonly string[] => [
    planHtml(hostilePlan(evil), { verbose: true }),
    planHtml({ ...hostilePlan(evil), drift: hostileDrift(evil) }, { heading: 'Drift' }),
    outcomeHtml(hostileOutcome(evil)),
    writeHtml(problemsReport({ diagnostics: hostilePlan(evil).notices, outcome: 'error', what: 'plan' }), NOW_MS),
    fleetHtml(hostileFleet(evil, 'plan')),
    fleetHtml(hostileFleet(evil, 'drift')),
  ];
  const hostileFleet = (evil: string, command: 'plan' | 'drift'): Fleet => {
    const plan = { ...hostilePlan(evil), drift: hostileDrift(evil) };
    const one = { account: evil, workspace: evil, note: evil, attention: [evil], requests: 0, ms: 0 };
    const accounts: readonly FleetAccount[] = [
      { ...one, outcome: 'differences', diagnostics: plan.notices, plan },
      { ...one, outcome: 'error', diagnostics: plan.notices, result: hostileOutcome(evil) },
      ...['a', 'b', 'c'].map((account) => ({ ...one, account, outcome: 'error' as const, diagnostics: [] })),
    ];
    return { format: FLEET_FORMAT, command, outcome: 'error', exitCode: 1, diagnostics: plan.notices, accounts };
  };
  const hostileDrift = (evil: string) =>
    (driftPlan.drift ?? []).map((item) => ({
      ...item,
      address: evil,
      appliedAt: evil,
      fields: item.fields.map((field) => ({ ...field, path: `/${evil}`, live: evil })),
      activity: [{ id: evil, name: evil, status: evil, at: evil, by: evil }],
    }));

  it.each(EVIL)('%j is nothing but text', (evil) => {
    for (const page of pages(evil)) {
      expect(page).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/u);
      expect(page.match(/<script/g)).toHaveLength(1);
      expect(page.match(/<style/g)).toHaveLength(1);
      expect(page.match(/href="(?!#|https:\/\/ok\.example\/)[^"]*"/g)).toBeNull();
      // No `<` but those of the page's own tags.
      const rest = page
        .replace(/<(script|style)>[^]*?<\/\1>/g, '')
        .replace(/<\/?[a-z0-9]+(?: [a-zA-Z-]+(?:="[^"<>]*")?)* ?\/?>|<!doctype html>/g, '');
      expect(rest).not.toMatch(/[<>"']/);
    }
  });

  it('of every sort keeps the shape of a harmless page', () => {
    const shape = (page: string): readonly string[] =>
      tagsOf(page).filter((tag) => !/^(a|code|del|ins|span)\b/.test(tag));
    const [evil, harmless] = [
      pages('words that no table has room for, <b>"&'),
      pages('words that no table has room for'),
    ];
    evil.forEach((page, index) => expect(shape(page)).toEqual(shape(harmless[index] as string)));
  });

  it('passes one gate', () => {
    const inner = markup`<b title="${'"\'<&>'}">${'a\u202eb\n'}</b>`;
    expect(markupText(markup`${inner}${undefined}${false}${[1, '<', [inner]]}`)).toBe(
      '<b title="&quot;&#39;&lt;&amp;&gt;">a\\u{202e}b\\n</b>1&lt;<b title="&quot;&#39;&lt;&amp;&gt;">a\\u{202e}b\\n</b>',
    );
    // JSON of a saved plan cannot be what the gate lets through.
    const forged = JSON.parse('{"text":"<b>"}') as string;
    expect(() => markup`${forged}`).toThrow();
  });
});

describe('the picture of the order', () => {
  const sizes = { width: 100, height: 40, across: 50, down: 10 };

  it('has what waits to the right of what it waits for, and no two boxes in one place', () => {
    const links = [
      [0, 1],
      [0, 2],
      [1, 3],
      [2, 3],
      [0, 4],
      [3, 4],
      [5, 4],
    ].map(([from = 0, to = 0]) => ({ from, to }));
    const { boxes, lines, width, height } = placeBoxes(links, { ...sizes, count: 6 });
    for (const { from, to } of links) expect(boxes[from]?.x).toBeLessThan(boxes[to]?.x as number);
    expect(lines.join('')).not.toContain('NaN');
    for (const [index, box] of boxes.entries()) {
      expect(box.x + sizes.width).toBeLessThanOrEqual(width);
      expect(box.y + sizes.height).toBeLessThanOrEqual(height);
      for (const other of boxes.slice(index + 1))
        expect(box.x === other.x && Math.abs(box.y - other.y) < sizes.height).toBe(false);
    }
  });

  it('takes objects that wait for each other', () => {
    const { lines } = placeBoxes(
      [
        { from: 0, to: 1 },
        { from: 1, to: 0 },
      ],
      { ...sizes, count: 2 },
    );
    expect(lines).toHaveLength(2);
  });

  it('is of objects when there are many actions, and those in the same place share a box', () => {
    const page = planHtml(bigPlan(2000));
    const [picture = ''] = /<svg[^]*?<\/section>/.exec(page) ?? [];
    expect(picture).toContain('19 × site');
    expect(picture.match(/<rect/g)).toHaveLength(2);
  });
});

test('2,000 actions are a file that can be sent', () => {
  const page = planHtml(bigPlan(2000));
  expect(Buffer.byteLength(page)).toBeLessThan(3_000_000);
  for (const words of ['caching.varyWebp: false -&gt; true on 200 sites', 'PHP version']) expect(page).toContain(words);
});
