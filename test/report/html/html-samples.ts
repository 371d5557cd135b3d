// Plans for the HTML reporter: one that a client would get, one of any size, one that tries to break out.
import type { Outcome } from '../../../src/model/plan/outcome.ts';
import type { Action, Plan } from '../../../src/model/plan/plan.ts';
import { actionOf, error, outcomeOf, planOf, warning } from '../samples.ts';

/** Changes of every sort, of the size of a usual pull request. */
export const mixedPlan: Plan = planOf({
  account: 'acc-bakery',
  actions: [
    actionOf({
      address: 'DomainRegistration/bakery-amsterdam.example',
      kind: 'DomainRegistration',
      verb: 'create',
      reason: 'will be created',
      source: { file: 'domains/bakery.yaml', line: 3, column: 3 },
      risk: ['charge', 'irreversible'],
      cost: { amountCents: 1299, currency: 'EUR' },
      changes: [
        { op: 'add', path: '/order', value: 'register' },
        { op: 'add', path: '/period', value: 1 },
        {
          op: 'add',
          path: '/contacts',
          value: { owner: { name: 'Ada Vries', email: 'ada@bakery.example' } },
          personal: ['/owner'],
        },
        { op: 'add', path: '/nameServers', value: ['ns1.zone.example.net', 'ns2.zone.example.net'] },
      ],
      locks: ['registration'],
    }),
    actionOf({
      address: 'Site/bakery',
      kind: 'Site',
      verb: 'update',
      reason: 'plan differs',
      source: { file: 'sites/bakery.yaml', line: 6, column: 9 },
      risk: ['charge', 'restart'],
      changes: [{ op: 'replace', path: '/plan', was: 'mini', value: 'pro' }],
      locks: ['Site/bakery'],
    }),
    actionOf({
      address: 'Site/bakery/PhpVersion',
      kind: 'PhpVersion',
      verb: 'update',
      reason: 'version differs',
      source: { file: 'sites/bakery.yaml', line: 7, column: 9 },
      risk: ['restart'],
      changes: [{ op: 'replace', path: '/version', was: '8.2', value: '8.3' }],
      needs: [
        { address: 'Site/bakery', rule: 'O-02', reason: 'a resize moves the site, and a restart meanwhile fails' },
      ],
      locks: ['Site/bakery'],
    }),
    actionOf({
      address: 'Site/bakery/SiteDomain/bakery-amsterdam.example',
      verb: 'create',
      source: { file: 'sites/bakery.yaml', line: 11, column: 7 },
      changes: [
        { op: 'add', path: '/hostname', value: 'bakery-amsterdam.example' },
        { op: 'add', path: '/attach', value: 'dns' },
      ],
      needs: [
        {
          address: 'DomainRegistration/bakery-amsterdam.example',
          rule: 'O-20',
          reason: 'the name has to exist before a site can take it',
        },
        { address: 'Site/bakery', rule: 'O-02', reason: 'a resize moves the site' },
      ],
      locks: ['Site/bakery'],
    }),
    actionOf({
      address: 'Site/bakery/SiteDomain/www.bakery.example',
      verb: 'update',
      reason: 'primary differs',
      source: { file: 'sites/bakery.yaml', line: 12, column: 7 },
      changes: [{ op: 'replace', path: '/primary', was: false, value: true }],
      risk: ['primary'],
      effects: [{ address: 'Site/bakery/SiteDomain/old-bakery.example', path: '/primary', value: false }],
      needs: [
        {
          address: 'Site/bakery/SiteDomain/bakery-amsterdam.example',
          rule: 'O-12',
          reason: 'hostnames are attached before one becomes primary',
        },
      ],
      locks: ['Site/bakery'],
    }),
    actionOf({
      address: 'Site/bakery/ShieldWaf',
      kind: 'ShieldWaf',
      verb: 'update',
      reason: 'mode, disabledRules differ',
      source: { file: 'sites/bakery.yaml', line: 20, column: 5 },
      risk: ['exposure'],
      changes: [
        { op: 'replace', path: '/mode', was: 'block', value: 'log' },
        { op: 'replace', path: '/disabledRules', was: ['941100'], value: ['941100', '942100', '949110'] },
      ],
      locks: ['Site/bakery'],
    }),
    actionOf({
      address: 'Site/bakery/EdgeRule/Old%20shop',
      kind: 'EdgeRule',
      verb: 'update',
      reason: 'action differs',
      source: { file: 'sites/bakery.yaml', line: 31, column: 7 },
      changes: [
        {
          op: 'replace',
          path: '/action',
          was: { redirect: { to: 'https://old-bakery.example/shop', status: 302 } },
          value: { redirect: { to: 'https://www.bakery.example/shop', status: 308 } },
        },
      ],
      needs: [
        {
          address: 'Site/bakery/SiteDomain/www.bakery.example',
          rule: 'O-31',
          reason: 'the target of a redirect answers before the redirect leads there',
        },
      ],
      locks: ['Site/bakery'],
    }),
    actionOf({
      address: 'Site/bakery/Caching',
      kind: 'Caching',
      verb: 'update',
      reason: 'varyWebp differs',
      source: { file: 'profiles/shop.yaml', line: 4, column: 5 },
      changes: [{ op: 'replace', path: '/varyWebp', was: false, value: true }],
      locks: ['Site/bakery'],
    }),
    actionOf({
      address: 'Mailspace/bakery.example/Mailbox/orders',
      kind: 'Mailbox',
      verb: 'create',
      source: { file: 'mail/bakery.yaml', line: 8, column: 5 },
      changes: [
        { op: 'add', path: '/displayName', value: 'Orders' },
        { op: 'add', path: '/password', secret: { env: 'MAIL_ORDERS' } },
      ],
      locks: ['Mailspace/bakery.example'],
    }),
    actionOf({
      address: 'Mailspace/bakery.example/MailAlias/info',
      kind: 'MailAlias',
      verb: 'create',
      source: { file: 'mail/bakery.yaml', line: 14, column: 5 },
      changes: [{ op: 'add', path: '/to', value: ['orders@bakery.example'] }],
      needs: [
        { address: 'Mailspace/bakery.example/Mailbox/orders', rule: 'O-41', reason: 'an alias leads to a mailbox' },
      ],
      locks: ['Mailspace/bakery.example'],
    }),
    actionOf({
      address: 'Site/bakery/SiteDomain/old-bakery.example',
      verb: 'delete',
      reason: 'the ledger shows it to be ours, and no manifest names it any more',
      changes: [
        { op: 'remove', path: '/hostname', was: 'old-bakery.example' },
        { op: 'remove', path: '/primary', was: true },
      ],
      risk: ['delete'],
      needs: [
        {
          address: 'Site/bakery/SiteDomain/www.bakery.example',
          rule: 'O-13',
          reason: 'without a new primary the site would fall back to its temporary URL',
        },
      ],
      locks: ['Site/bakery'],
    }),
    actionOf({
      address: 'Mailspace/bakery.example/Mailbox/temp',
      kind: 'Mailbox',
      verb: 'delete',
      reason: 'the ledger shows it to be ours, and no manifest names it any more',
      changes: [{ op: 'remove', path: '/displayName', was: 'Temp' }],
      risk: ['delete'],
      needs: [
        {
          address: 'Mailspace/bakery.example/Mailbox/orders',
          rule: 'O-70',
          reason: 'a failed change must not leave less than there was before',
        },
        {
          address: 'Mailspace/bakery.example/MailAlias/info',
          rule: 'O-70',
          reason: 'a failed change must not leave less than there was before',
        },
      ],
      locks: ['Mailspace/bakery.example'],
    }),
  ],
  blocked: [
    {
      address: 'Site/bakery/ShieldRateLimit/login',
      reason: 'the plan of the site has no rate limits',
      remedy: 'Upgrade the Shield plan, or take `rateLimits` out of sites/bakery.yaml.',
      rule: 'SHD-12',
    },
  ],
  waiting: [
    {
      address: 'Mailspace/bakery.example/MailDomain/bakery.example',
      reason: 'the TXT record that proves whose it is is not there yet',
      remedy: 'Publish it; `hostwright dns` shows it. See https://docs.example.com/mail/verify.',
    },
  ],
  deferred: [
    {
      address: 'DomainRegistration/bakery-amsterdam.example/Dnssec',
      until: 'DomainRegistration/bakery-amsterdam.example',
      reason: 'cannot be observed before that step',
      declared: 'd',
    },
  ],
  unmanaged: [
    {
      collection: 'Site/bakery/EdgeRule',
      kind: 'EdgeRule',
      identity: 'made elsewhere',
      yaml: 'edgeRules:\n  - name: made elsewhere\n    action: { block: {} }\n    triggers:\n      - country: [XX]\n',
    },
  ],
  notices: [warning],
});

/** `count` actions over a tenth as many sites: equal changes, attached and removed hostnames, an order in each site. */
export function bigPlan(count: number): Plan {
  const actions = Array.from({ length: count }, (_, index): Action => {
    const site = `Site/shop-${String(Math.floor(index / 10)).padStart(3, '0')}`;
    const source = { file: `sites/shop-${Math.floor(index / 10)}.yaml`, line: 4 + (index % 10), column: 5 };
    const common = { source, locks: [site] };
    const reason = 'a failed change must not leave less than there was before';
    const part = index % 10;
    if (part === 0)
      return actionOf({
        ...common,
        address: `${site}/Caching`,
        kind: 'Caching',
        verb: 'update',
        reason: 'varyWebp differs',
        changes: [{ op: 'replace', path: '/varyWebp', was: false, value: true }],
        ...(index > 0 && index < 200 && { needs: [{ address: 'Site/shop-000/Caching', rule: 'O-1', reason: 'x' }] }),
      });
    if (part === 1)
      return actionOf({
        ...common,
        address: `${site}/PhpVersion`,
        kind: 'PhpVersion',
        verb: 'update',
        reason: 'version differs',
        risk: ['restart'],
        changes: [{ op: 'replace', path: '/version', was: '8.2', value: '8.3' }],
      });
    if (part === 9)
      return actionOf({
        ...common,
        address: `${site}/SiteDomain/old-${index}.example.com`,
        verb: 'delete',
        risk: ['delete'],
        reason: 'the ledger shows it to be ours, and no manifest names it any more',
        changes: [{ op: 'remove', path: '/hostname', was: `old-${index}.example.com` }],
        needs: Array.from({ length: 7 }, (_unused, place) => ({
          address: `${site}/SiteDomain/www-${index - 7 + place}.example.com`,
          rule: 'O-70',
          reason,
        })),
      });
    return actionOf({
      ...common,
      address: `${site}/SiteDomain/www-${index}.example.com`,
      verb: 'create',
      changes: [
        { op: 'add', path: '/hostname', value: `www-${index}.example.com` },
        { op: 'add', path: '/attach', value: 'dns' },
      ],
    });
  });
  return planOf({ account: 'acc-two-hundred-sites', actions });
}

const CONTROLS = '\u0000\u0007\u001b[31m\u0085\u200b\u202e\u2066\u2069\u061c\ufeff\u{e0041}\ud800';

/** What may stand in a name, a value or a sentence. */
export const EVIL: readonly string[] = [
  '</script><script>window.broken = 1</script>',
  '</style><style>* { display: none }</style>',
  '"><img src=x onerror="window.broken = 1">',
  "' onfocus='window.broken = 1' autofocus '",
  '<!-- --> <![CDATA[ ]]> &lt;b&gt; &amp; &#60;',
  '</title></textarea></svg></details><h1>Nothing to do</h1>',
  'javascript:window.broken=1 data:text/html,x http://plain.example/',
  'https://user:pass@evil.example/ https://\u202eevil.example https://ok.example/a?b=<c>&d="e"',
  `controls ${CONTROLS} end`,
  'שלום عربى 日本語 e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301',
  `long${'g'.repeat(3000)}`,
  'line\nfeed\r\nand `code` and ``` fence',
];

/** All of a plan says `evil`. */
export function hostilePlan(evil: string): Plan {
  const blocker = { address: evil, reason: evil, remedy: evil, rule: evil };
  const source = { file: evil, line: 1, column: 1 };
  const name = `Site/${encodeURIComponent(evil.replaceAll('\ud800', ''))}`;
  return planOf({
    account: evil,
    digest: evil,
    actions: [
      actionOf({ address: name, kind: evil, verb: 'create', reason: evil, source, risk: ['charge'] }),
      actionOf({
        address: `${name}/EdgeRule/${encodeURIComponent(evil.replaceAll('\ud800', ''))}`,
        kind: evil,
        verb: 'update',
        reason: evil,
        source,
        risk: ['exposure'],
        effects: [{ address: evil, path: `/${evil}`, value: evil }],
        needs: [
          { address: name, rule: evil, reason: evil },
          { address: 'Site/nowhere', rule: evil, reason: evil },
        ],
        changes: [
          { op: 'replace', path: `/${evil}`, was: 'x', value: evil },
          { op: 'replace', path: '/list', was: [evil], value: [`${evil}2`] },
          { op: 'replace', path: '/secret', secret: { env: evil } },
          { op: 'replace', path: '/text', was: `a\n${evil}\nb`, value: `a\n${evil}!\nb` },
        ],
      }),
      actionOf({ address: evil, kind: evil, verb: 'delete', reason: evil, risk: ['delete'], locks: [evil] }),
    ],
    unmanaged: [{ collection: evil, kind: evil, identity: evil, yaml: `domains:\n  - ${evil}\n` }],
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
        source: { ...source, endLine: 1, endColumn: 1 },
      },
      { ...error, detail: evil, summary: evil },
    ],
  });
}

const appliedAt = '2026-11-20T09:00:00.000Z';

/** What changed on either side, and what was left out. */
export const driftPlan: Plan = planOf({
  account: 'acc-bakery',
  actions: mixedPlan.actions.filter(({ kind }) => kind === 'PhpVersion').map((action) => ({ ...action, needs: [] })),
  ignored: [{ address: 'Site/blog', as: 'blocked', by: 'Site/blog*' }],
  drift: [
    {
      address: 'Site/bakery/PhpVersion',
      class: 'drifted',
      is: 'changed',
      appliedAt,
      source: { file: 'sites/bakery.yaml', line: 7, column: 9 },
      fields: [{ path: '/version', class: 'drifted', applied: '8.3', manifest: '8.3', live: '8.2' }],
      activity: [
        { id: '17', name: 'site.variant.php', status: 'OK', at: '2026-11-22T09:58:00.000Z', by: 'Ada Vries' },
        { id: '16', name: 'site.variant.php', status: 'RUNNING', at: '2026-11-21T09:00:00.000Z' },
      ],
    },
    {
      address: 'Site/bakery/EdgeRule/made%20elsewhere',
      class: 'drifted',
      is: 'extra',
      appliedAt,
      fields: [{ path: '/action', class: 'drifted', live: { type: 'Block' } }],
    },
    {
      address: 'Site/bakery/Caching',
      class: 'both',
      is: 'changed',
      appliedAt,
      source: { file: 'sites/bakery.yaml', line: 15, column: 3 },
      fields: [
        { path: '/smartCache', class: 'drifted', applied: true, manifest: true, live: false },
        { path: '/cookies', class: 'both', applied: ['a'], manifest: ['a', 'basket'], live: [] },
      ],
    },
    {
      address: 'Site/bakery/SiteDomain/nieuw.bakery.example',
      class: 'pending',
      is: 'missing',
      fields: [{ path: '/hostname', class: 'pending', manifest: 'nieuw.bakery.example' }],
    },
    {
      address: 'Mailspace/bakery.example/Mailbox/orders',
      class: 'differs',
      is: 'changed',
      fields: [{ path: '/name', class: 'differs', manifest: 'Ada', live: 'Ben', personal: [''] }],
    },
  ],
});

/** A run with every sort of result. */
export const mixedOutcome: Outcome = outcomeOf({
  outcome: 'partly-applied',
  exitCode: 6,
  account: 'acc-bakery',
  requests: { reads: 41, writes: 9 },
  actions: [
    {
      address: 'DomainRegistration/bakery-amsterdam.example',
      verb: 'create',
      result: 'waiting',
      reason: 'the order is not paid; pay it at https://pay.example.com/orders/81',
      outputs: { orderId: '81' },
    },
    { address: 'Site/bakery', verb: 'update', result: 'done', outputs: { id: 'site-1' } },
    { address: 'Site/bakery/PhpVersion', verb: 'update', result: 'already-done' },
    {
      address: 'Site/bakery/SiteDomain/shop.bakery.example',
      verb: 'create',
      result: 'done',
      outputs: { id: 'dom-7', ns1: 'ns1.zone.example.net', ns2: 'ns2.zone.example.net' },
    },
    {
      address: 'Site/bakery/EdgeRule/Old%20shop',
      verb: 'update',
      result: 'failed',
      reason: 'the platform answered 422: the target is not a URL',
    },
    {
      address: 'Site/bakery/Caching',
      verb: 'update',
      result: 'skipped',
      reason: '`Site/bakery/EdgeRule/Old%20shop` failed',
    },
    {
      address: 'Mailspace/bakery.example/Mailbox/orders',
      verb: 'create',
      result: 'unknown-outcome',
      reason: 'its answer never came, and no read tells whether it was carried out',
    },
  ],
  remaining: [
    {
      address: 'Site/bakery/EdgeRule/Old%20shop',
      reason: 'action differs',
      remedy: 'Run `hostwright plan`.',
      rule: 'CDN-30',
    },
  ],
  diagnostics: [error],
});

/** An outcome that says `evil` everywhere. */
export function hostileOutcome(evil: string): Outcome {
  return outcomeOf({
    account: evil,
    planDigest: evil,
    actions: [
      { address: evil, verb: 'create', result: 'failed', reason: evil, outputs: { [evil]: evil } },
      { address: evil, verb: 'create', result: 'done', outputs: { [evil]: evil } },
    ],
    remaining: [{ address: evil, reason: evil, remedy: evil }],
    diagnostics: [{ ...error, detail: evil }],
  });
}
