// What a reader asked for: a small plan without a click, a large one on a screen, what is dangerous in bold, a drift that
// a phone shows, lines that are broken between words.
import { describe, expect, it } from 'vitest';
import type { Action } from '../../src/model/plan/plan.ts';
import { outcomeMarkdown, outcomeText, planMarkdown, planText } from '../support/reports.ts';
import { actionOf, outcomeOf, planOf } from './samples.ts';

const caching = (site: number, was: number, value: number): Action =>
  actionOf({
    address: `Site/s${site}/Caching`,
    kind: 'Caching',
    verb: 'update',
    reason: 'cacheExpiration differs',
    changes: [{ op: 'replace', path: '/cacheExpiration', was, value }],
    source: { file: 'sites/all.yaml', line: site, column: 3 },
  });
const deletes = (address: string, risk: Action['risk'] = ['delete']): Action =>
  actionOf({
    address,
    verb: 'delete',
    reason: 'will be deleted: no longer in the manifest',
    risk,
  });

const comment = (actions: readonly Action[], more: object = {}): string => planMarkdown(planOf({ actions }), more);
/** What is seen before anything is unfolded: of a fold its first line. */
function seen(markdown: string): readonly string[] {
  let depth = 0;
  return markdown
    .replace(/^<!--[^]*?-->/, '')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('<details')) depth += 1;
      const isTitle = depth === 1 && line.startsWith('<summary>');
      if (line === '</details>') depth -= 1;
      if (isTitle) return [line.replace(/<\/?summary>/g, '')];
      return depth > 0 || line === '' || line === '</details>' ? [] : [line.replaceAll('\\', '')];
    });
}

describe('a comment', () => {
  it('of up to five actions needs no click', () => {
    const small = comment([caching(1, 60, 300), caching(2, 5, 10)]);
    expect(small.match(/<details open>/g)).toHaveLength(2);
    expect(small).toContain('! cacheExpiration:\n-   60\n+   300');
  });

  it('of more has each change in the line of its action', () => {
    const names = ['one', 'two', 'three', 'four', 'five', 'six'];
    const actions = names.map((field, index) =>
      actionOf({
        address: `Site/s${index}/Caching`,
        verb: 'update',
        reason: `${field} differs`,
        changes: [{ op: 'replace', path: `/${field}`, was: 1, value: 2 }],
      }),
    );
    const lines = seen(comment(actions));
    for (const field of names) expect(lines.some((line) => line.endsWith(`: ${field}: 1 → 2`))).toBe(true);
  });

  it('of sixty changes fits a screen, and says them in one line', () => {
    const many = Array.from({ length: 60 }, (_, index) => caching(index, 60 + index * 60, 300 + index * 10));
    const lines = seen(comment(many));
    expect(lines).toContain('<code>~</code> <b>caching.cacheExpiration on 60 sites: 60…3600 → 300…890</b>');
    expect(lines.length).toBeLessThan(12);
    expect(lines.join('\n')).not.toContain('**Group**');
    // Each stands below that line, with its own values.
    expect(comment(many)).toContain('<code>#60 ~ Site/s59/Caching</code>: cacheExpiration: 3600 → 890');
  });

  it('says under a heading and in bold what is dangerous, by harm', () => {
    const lines = seen(
      comment([
        actionOf({
          address: 'Site/a/PhpVersion',
          kind: 'PhpVersion',
          verb: 'update',
          changes: [{ op: 'replace', path: '/version', was: '8.2', value: '8.3' }],
          risk: ['restart'],
        }),
        actionOf({
          address: 'Site/a/SiteDomain/new.example.com',
          verb: 'create',
          risk: ['primary'],
        }),
        deletes('Site/s00060', ['delete', 'irreversible']),
      ]),
    );
    expect(lines.slice(2, 6).map((line) => line.replace(/\*\*:.*/, '**'))).toEqual([
      '#### Look at these first (3)',
      '- `#3` **Deletes site s00060**',
      '- `#2` **Creates hostname new.example.com of site a as its primary hostname**',
      '- `#1` **Changes PHP version of site a from 8.2 to 8.3**',
    ]);
  });

  it('says that nothing is dangerous', () => {
    expect(comment([caching(1, 1, 2)])).toContain('No action deletes, costs money, ');
    expect(comment([deletes('Site/a')])).not.toContain('No action deletes');
  });

  it('says who approves, what the merge does, and where to read more', () => {
    const run = 'https://github.com/acme/hosting/actions/runs/7';
    expect(comment([caching(1, 1, 2)], { run })).toContain(
      `Whoever may approve the merge approves this action. The merge runs it, or nothing if something changed since. More: \`docs/reviewing.md\` of the package, and [this run](${run}).`,
    );
    const refusals = [{ code: 'HW2202', reason: '1 delete, 0 allowed', addresses: [] }];
    expect(
      comment([deletes('Site/a')], {
        guardCheck: { from: 'main', options: [], refusals },
      }),
    ).toContain('As it is, the merge runs nothing.');
  });
});

describe('a drift', () => {
  const drift = (['shop', 'blog'] as const).map((site) => ({
    address: `Site/${site}/Caching`,
    class: 'drifted' as const,
    is: 'changed' as const,
    appliedAt: '2026-11-20T09:00:00.000Z',
    fields: [
      {
        path: '/cacheExpiration',
        class: 'drifted' as const,
        applied: 60,
        manifest: 60,
        live: 777,
      },
    ],
  }));
  const unmanaged = [
    {
      collection: 'Site/shop/SiteDomain',
      kind: 'SiteDomain',
      identity: 'evil.example.com',
      yaml: 'domains:\n  - evil.example.com\n',
    },
  ];
  const actions = [caching(1, 777, 60), caching(2, 777, 60)];
  const issue = planMarkdown(planOf({ drift, unmanaged, actions }), { heading: 'Drift' });

  it('is one table that fits a phone, and runs nothing in parallel', () => {
    expect(issue.match(/\| what /g)).toHaveLength(1);
    expect(issue).toContain('| caching of site blog: **cacheExpiration** | `60`     | `777` |');
    expect(issue).not.toContain('parallel');
    expect(issue).toContain('Nobody has to approve this report');
  });

  it('is a list where a phone would cut the last column', () => {
    const long = drift.map((item) => ({
      ...item,
      fields: item.fields.map((field) => ({ ...field, live: 'v'.repeat(30) })),
    }));
    const markdown = planMarkdown(planOf({ drift: long }), { heading: 'Drift' });
    expect(markdown).not.toContain('| what');
    expect(markdown).toContain(`**cacheExpiration**: manifest \`60\`, live \`"${'v'.repeat(30)}"\``);
  });

  it('names in its first line what a stranger attached', () => {
    expect(seen(issue)[1]).toContain('**Live and in no manifest: hostname evil.example.com of site shop.**');
  });
});

describe('an applied plan', () => {
  const bought = actionOf({
    address: 'DomainRegistration/acme.com',
    kind: 'DomainRegistration',
    verb: 'create',
    risk: ['charge', 'irreversible'],
    cost: { amountCents: 1200, currency: 'EUR' },
  });
  const hostname = actionOf({
    address: 'Site/shop/SiteDomain/acme.com',
    kind: 'SiteDomain',
    verb: 'create',
  });
  const outcome = outcomeOf({
    actions: [bought, hostname].map(({ address, verb }) => ({
      address,
      verb,
      result: 'done' as const,
    })),
  });
  const review = {
    text: 'pull request 12',
    href: 'https://github.com/acme/hosting/pull/12',
  };

  it('says what it cost, which records to publish, what was dangerous, and where that was approved', () => {
    const markdown = outcomeMarkdown(outcome, { planned: [bought, hostname], review });
    for (const words of [
      'Cost: 12.00 EUR.',
      '`hostwright dns` (lists the DNS records to publish for acme.com)',
      '**Dangerous, and done (1)**',
      'in [pull request 12](https://github.com/acme/hosting/pull/12).',
    ])
      expect(markdown).toContain(words);
    expect(outcomeText(outcome, { planned: [bought] })).toContain('Done. Cost: 12.00 EUR.');
  });

  it('says that something was charged also where no price was quoted', () => {
    const { cost: _, ...unpriced } = bought;
    expect(outcomeMarkdown(outcome, { planned: [unpriced] })).toContain(
      'Cost: 1 charge, and the platform quoted no price.',
    );
  });

  it('says which records to publish also where something else failed', () => {
    const partly = { ...outcome, outcome: 'partly-applied' as const, exitCode: 6 as const };
    expect(outcomeMarkdown(partly)).toContain('lists the DNS records to publish for acme.com');
  });

  it('counts no cost of what failed', () => {
    const failed = outcomeOf({
      actions: [{ address: bought.address, verb: 'create', result: 'failed' }],
    });
    expect(outcomeMarkdown(failed, { planned: [bought] })).not.toContain('Cost');
  });
});

describe('a terminal of 80 columns', () => {
  const plan = planOf({
    actions: [
      actionOf({
        address: 'DomainRegistration/acme.com/RegistrationNameservers',
        verb: 'update',
        reason: `set ${'because of a reason with many words '.repeat(4)}`.trim(),
        changes: [
          {
            op: 'replace',
            path: '/hosts',
            was: ['ns1.example.net', 'ns2.example.net'],
            value: ['ns1.example.net'],
          },
          { op: 'replace', path: '/ttl', was: 60, value: 300 },
        ],
      }),
    ],
  });
  const text = planText(plan, { width: 80, wrap: true });

  it('breaks lines between words', () => {
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    const words = (from: string): readonly string[] => from.split(/\s+/);
    expect(words(text)).toEqual(words(planText(plan, { width: 80 })));
  });

  it('shows what a list loses in words, not like an item of YAML', () => {
    expect(text).toContain('removed "ns2.example.net"');
    expect(text).not.toMatch(/^ *- "/m);
  });

  it('gives old and new values a colour', () => {
    const colored = planText(plan, { color: true, width: 80 });
    expect(colored).toContain('\u001b[31m60\u001b[39m -> \u001b[32m300\u001b[39m');
  });
});
