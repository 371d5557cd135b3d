// Reports for people without an account on the forge: golden files of whole pages, and that nothing from outside is
// anything but text in them.
import { createHash } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import type { Fleet, FleetAccount } from '../../../src/model/plan/fleet.ts';
import { FLEET_FORMAT } from '../../../src/model/plan/fleet.ts';
import {
  renderFleetHtml,
  renderOutcomeHtml,
  renderPlanHtml,
  renderProblemsHtml,
  renderValidationHtml,
} from '../../../src/report/html/index.ts';
import { placeBoxes } from '../../../src/report/html/layout.ts';
import { markup, markupText } from '../../../src/report/html/markup.ts';
import { HIDDEN } from '../../../src/model/kind/words.ts';
import { withoutPersonal } from '../../../src/report/view/personal.ts';
import { expectGolden } from '../golden.ts';
import { bigPlan, driftPlan, EVIL, hostileOutcome, hostilePlan, mixedOutcome, mixedPlan } from './html-samples.ts';
import { error, planOf, shopPlan, warning } from '../samples.ts';

const nowMs = Date.parse('2026-11-22T10:00:00.000Z');
const plain = { heading: 'Plan', verbose: false, outcome: 'differences', diagnostics: [], nowMs } as const;

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
    expectGolden('plan.html', contentOf(renderPlanHtml(withoutPersonal(mixedPlan), plain)));
    expectGolden(
      'plan.verbose.html',
      contentOf(renderPlanHtml(shopPlan, { ...plain, verbose: true, diagnostics: [error] })),
    );
  });

  it('reads as it did: a run that failed in part, and drift', () => {
    expectGolden('outcome.html', contentOf(renderOutcomeHtml(mixedOutcome, { nowMs })));
    expectGolden('drift.html', contentOf(renderPlanHtml(withoutPersonal(driftPlan), { ...plain, heading: 'Drift' })));
  });

  it('takes nothing from elsewhere, and its policy lets nothing but its own script and style run', () => {
    for (const page of [renderPlanHtml(mixedPlan, plain), renderOutcomeHtml(mixedOutcome, { nowMs })]) {
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
    expect(renderPlanHtml(withoutPersonal(mixedPlan), plain)).not.toContain('Ada Vries');
    expect(renderPlanHtml(withoutPersonal(mixedPlan), plain)).toContain(HIDDEN);
    expect(renderPlanHtml(mixedPlan, plain)).toContain('Ada Vries');
  });

  it('says first what charges, deletes, restarts, exposes or cannot be undone, with values and place', () => {
    const page = renderPlanHtml(mixedPlan, plain);
    const [risks = ''] = /<section id="risks"[^]*?<\/section>/.exec(page) ?? [];
    for (const text of ['12.99 EUR', 'price not quoted', 'sites/bakery.yaml:20:5', 'mode block -&gt; log'])
      expect(risks).toContain(text);
    expect(page.indexOf(risks)).toBeLessThan(page.indexOf('id="actions"'));
    expect(risks.indexOf('12.99 EUR')).toBeLessThan(risks.indexOf('primary hostname'));
  });

  it('with nothing to run says so and what stands in the way', () => {
    const page = renderPlanHtml({ ...mixedPlan, actions: [] }, plain);
    expect(page).toContain('id="blocked"');
    expect(page).not.toContain('id="actions"');
    expect(renderPlanHtml(planOf({}), { ...plain, outcome: 'done' })).not.toMatch(/id="(risks|order|actions)"/);
  });

  it('says first whether apply will run it', () => {
    const guardCheck = { from: 'main', options: [], refusals: [] };
    const refusals = [
      { code: 'HW2202', reason: '2 deletes, 0 allowed', option: '--allow-deletes 2', addresses: [] },
    ] as const;
    expect(renderPlanHtml(mixedPlan, { ...plain, guardCheck })).toContain(
      'Apply will run this: allowed by the guards of main.',
    );
    expect(renderPlanHtml(mixedPlan, { ...plain, guardCheck: { ...guardCheck, refusals } })).toContain(
      'Apply will refuse this: 2 deletes, 0 allowed (guards of main). If it is meant, there are two ways.',
    );
    expect(renderPlanHtml(mixedPlan, plain)).not.toContain('Apply will');
  });

  it('tells problems alone', () => {
    const page = renderProblemsHtml({ diagnostics: [error, warning], outcome: 'error', what: 'plan' }, { nowMs });
    expect(page).toContain('1 error, 1 warning');
    expect(page).toContain('<code>phpVersoin</code>');
    const checked = { diagnostics: [warning], manifests: 2, objects: 5 };
    expect(renderValidationHtml(checked, 'done', { nowMs })).toContain('Valid: 2 manifests, 5 objects, 1 warning');
  });
});

describe('text from outside', () => {
  const pages = (evil: string): readonly string[] => [
    renderPlanHtml(hostilePlan(evil), { ...plain, verbose: true }),
    renderPlanHtml({ ...hostilePlan(evil), drift: hostileDrift(evil) }, { ...plain, heading: 'Drift' }),
    renderOutcomeHtml(hostileOutcome(evil), { nowMs }),
    renderProblemsHtml({ diagnostics: hostilePlan(evil).notices, outcome: 'error', what: 'plan' }, { nowMs }),
    renderFleetHtml(hostileFleet(evil, 'plan'), { nowMs }),
    renderFleetHtml(hostileFleet(evil, 'drift'), { nowMs }),
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
    const page = renderPlanHtml(bigPlan(2000), plain);
    const [picture = ''] = /<svg[^]*?<\/section>/.exec(page) ?? [];
    expect(picture).toContain('19 × site');
    expect(picture.match(/<rect/g)).toHaveLength(2);
  });
});

test('2,000 actions are a file that can be sent', () => {
  const page = renderPlanHtml(bigPlan(2000), plain);
  expect(Buffer.byteLength(page)).toBeLessThan(3_000_000);
  for (const words of ['caching.varyWebp: false -&gt; true on 200 sites', 'PHP version']) expect(page).toContain(words);
});
