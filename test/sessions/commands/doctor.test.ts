// `doctor` against the sandbox and against answers that are made up: what it knows of the credential, the account and
// its features, the ledger, the settings; that it sends a few reads and nothing else; and that it says what it can
// whatever is missing.
import { chmod, mkdir, readdir, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatLedger } from '../../../src/ledger/ledger-text.ts';
import type { DoctorReport, Finding, FindingArea } from '../../../src/model/doctor.ts';
import type { Transport, TransportAnswer } from '../../../src/platform/transport.ts';
import {
  API_KEY,
  oauthToken,
  OAUTH_READ_ONLY_TOKEN,
  READER_API_KEY,
  SESSION_TOKEN,
  SYSTEM_KEY,
} from '../../../src/sandbox/core/http/credentials.ts';
import type { DoctorFacts } from '../../../src/usecases/doctor/doctor.ts';
import { examine } from '../../../src/usecases/doctor/doctor.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import type { Session } from '../../../src/usecases/session.ts';
import { createThing } from '../../apply/support.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { containing } from '../../support/matchers.ts';
import { begunOf } from '../../support/actions.ts';

const FACTS: DoctorFacts = { version: '1.2.3', node: 'v20.19.0', nodeNeeded: '20.18.1', settings: [], problems: [] };
const NOW_MS = Date.UTC(2026, 0, 15, 12);

function start(options: HarnessOptions = {}): Promise<Harness> {
  return openHarness({ memoryLedger: false, ...options });
}

/** `area/check: verdict`. */
function verdicts({ findings }: DoctorReport, area?: FindingArea): Readonly<Record<string, string>> {
  return Object.fromEntries(
    findings.filter((one) => area === undefined || one.area === area).map(({ check, verdict }) => [check, verdict]),
  );
}

function find({ findings }: DoctorReport, check: string): Finding {
  const found = findings.find((one) => one.check === check);
  if (found === undefined) throw new Error(`no finding ${check}`);
  return found;
}

/** Answers that are made up: by path, else by `*`. */
function answering(answers: Readonly<Record<string, Partial<TransportAnswer>>>): Transport {
  return ({ path }) =>
    Promise.resolve({ status: 200, headers: {}, body: '{"sites":[]}', ...(answers[path] ?? answers['*']) });
}

const refusal = (status: number, code: string): Partial<TransportAnswer> => ({
  status,
  body: JSON.stringify({ errors: ['no'], code }),
});

describe('another platform', () => {
  it.each([
    ['a page', { status: 200, body: '<html>hello</html>' }],
    ['another document', { status: 200, body: '{"data":[]}' }],
    ['nothing there', { status: 404, body: '' }],
  ])('SIT-01: %s is told as no platform of this API, and is asked once', async (_name, answer) => {
    const harness = await start();
    const asked: string[] = [];
    const transport: Transport = (request) => {
      asked.push(request.path);
      return answering({ '*': answer })(request);
    };
    const report = await examine(harness.session({ transport }), FACTS);
    const { verdict, says } = find(report, 'answers');
    expect([verdict, says]).toMatchObject(['problem', containing('not as this API')]);
    expect(verdicts(report, 'account')).toEqual({});
    expect(new Set(asked)).toEqual(new Set(['/api/sites']));
  });
});

describe('a set-up in order', () => {
  it('has no problem, and a dozen reads are all that is sent (promise 8)', async () => {
    const harness = await start({ ledger: true });
    const before = harness.sandbox.requests.length;
    const report = await examine(harness.session(), FACTS);
    expect(report.findings.filter(({ verdict }) => verdict === 'problem')).toEqual([]);
    const sent = harness.sandbox.requests.slice(before);
    expect(sent.every(({ method }) => method === 'GET')).toBe(true);
    expect(sent.length).toBeLessThanOrEqual(12);
    expect(report.requests.map(({ path }) => path).sort()).toEqual(sent.map(({ path }) => path).sort());
    expect((await readdir(harness.root, { recursive: true })).sort()).toEqual([
      '.hostwright',
      '.hostwright/ledger.jsonl',
      'hostwright.yaml',
    ]);
  });

  it('names the accounts that are reached, and finds that of the workspace among them (CNV-08)', async () => {
    const report = await examine((await start()).session(), FACTS);
    expect(find(report, 'reached').says).toContain('acc-acme (acme), acc-other (other)');
    expect(find(report, 'account')).toMatchObject({ verdict: 'ok', says: 'The account acc-acme is among them.' });
  });

  it('takes an account that holds nothing, by what it answers', async () => {
    const report = await examine((await start({ scenario: 'empty' })).session(), FACTS);
    expect(find(report, 'reached').says).toContain('no account that has a site');
    expect(find(report, 'account').says).toContain('answers for the account acc-acme');
    expect(find(report, 'site features').verdict).toBe('unknown');
  });
});

describe('the credential', () => {
  it.each([SESSION_TOKEN, API_KEY, READER_API_KEY, SYSTEM_KEY])(
    '%s is bound to no scopes; a system key is told apart by writes alone (CNV-06, CNV-13)',
    async (token) => {
      const report = await examine((await start()).session({ token }), FACTS);
      expect(verdicts(report, 'credential')).toEqual({ token: 'ok', kind: 'ok', scopes: 'ok', roles: 'unknown' });
      expect(find(report, 'kind').says).toContain('a session, an API key or a system key');
    },
  );

  it('an OAuth token is known by what it is closed out of; its write scopes are not known (CNV-09, CNV-11)', async () => {
    const report = await examine((await start()).session({ token: OAUTH_READ_ONLY_TOKEN }), FACTS);
    expect(verdicts(report, 'credential')).toEqual({
      token: 'ok',
      kind: 'warning',
      'scope sites:read': 'ok',
      'scope billing:read': 'ok',
      'scope domains:read': 'ok',
      'scope mailspace:read': 'ok',
      'scope panel:read': 'ok',
      'scope sites:write': 'unknown',
      'scope domains:write': 'unknown',
      'scope mailspace:write': 'unknown',
      roles: 'unknown',
    });
  });

  it('a scope that is missing is told, and what it hides is not known (CNV-10)', async () => {
    const report = await examine((await start()).session({ token: oauthToken(['mailspace:read']) }), FACTS);
    expect(verdicts(report, 'credential')).toMatchObject({
      'scope sites:read': 'warning',
      'scope billing:read': 'warning',
      'scope mailspace:read': 'ok',
    });
    expect(verdicts(report, 'features')).toMatchObject({
      billing: 'unknown',
      registrations: 'unknown',
      mailspaces: 'ok',
      panel: 'unknown',
    });
  });

  it('is held against what the workspace file says of it', async () => {
    const workspace = (credential: string): string =>
      `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  credential: ${credential}\n`;
    const wrong = await start({ workspace: workspace('{ type: apiKey }') });
    expect(find(await examine(wrong.session({ token: OAUTH_READ_ONLY_TOKEN }), FACTS), 'kind')).toMatchObject({
      verdict: 'problem',
    });
    const other = await start({ workspace: workspace('{ type: oauth }') });
    expect(find(await examine(other.session(), FACTS), 'kind')).toMatchObject({ verdict: 'problem' });
    const right = await start({ workspace: workspace('{ type: oauth, scopes: [sites:read, panel:read] }') });
    const report = await examine(right.session({ token: oauthToken(['sites:read']) }), FACTS);
    expect(verdicts(report, 'credential')).toMatchObject({
      kind: 'ok',
      'scope sites:read': 'ok',
      'scope panel:read': 'problem',
      'scope domains:read': 'warning',
    });
  });

  it('that is refused is the end of it; that it would be taken without Bearer is told (GAP-01)', async () => {
    const harness = await start({ ambiguities: { 'GAP-01': 'raw' } });
    const report = await examine(harness.session(), FACTS);
    expect(find(report, 'token')).toMatchObject({ verdict: 'problem', remedy: containing('sendAs: raw') });
    expect(report.requests).toEqual([
      { path: '/api/sites', account: false, answer: '401' },
      { path: '/api/sites', account: false, answer: '200' },
    ]);
    const refused = await examine(harness.session({ token: 'nobody' }), FACTS);
    expect(find(refused, 'token').says).toBe('The platform refuses the token (401).');
  });

  it('a refusal for want of a user tells a system key', async () => {
    const report = await examine(
      (await start()).session({ transport: answering({ '/api/users': refusal(401, 'user_required') }) }),
      FACTS,
    );
    expect(find(report, 'kind')).toMatchObject({ verdict: 'warning', says: containing('a system key. It is refused') });
  });

  it('says of itself when it ends and what its scopes are, where its form tells', async () => {
    const signed = (claims: object): string =>
      [{ alg: 'RS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') +
      '.c2ln';
    const harness = await start();
    const look = (claims: object) =>
      examine(
        harness.session({
          token: signed(claims),
          clock: { now: () => NOW_MS, sleep: () => Promise.resolve() },
          transport: answering({ '/api/users': refusal(403, 'insufficient_scope') }),
        }),
        FACTS,
      );
    const report = await look({ exp: NOW_MS / 1000 - 60, scope: 'sites:read sites:write' });
    expect(verdicts(report, 'credential')).toMatchObject({
      expiry: 'problem',
      'scope sites:write': 'ok',
      'scope domains:write': 'warning',
    });
    expect(find(await look({ exp: NOW_MS / 1000 + 3600, scopes: ['domains:write'] }), 'expiry').verdict).toBe(
      'warning',
    );
    expect(find(await look({ exp: NOW_MS / 1000 + 7 * 86_400 }), 'expiry').verdict).toBe('ok');
  });
});

describe('the account', () => {
  const at = (account: string) =>
    `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: ${account}\n  baseUrl: http://127.0.0.1:1\n`;

  it('that is refused everywhere is a problem, and the others are named (CNV-16)', async () => {
    const report = await examine((await start({ workspace: at('acc-none') })).session(), FACTS);
    expect(find(report, 'account')).toMatchObject({ verdict: 'problem', remedy: containing('acc-acme, acc-other') });
  });

  it('that is not set is a problem, and those that are reached are offered', async () => {
    const harness = await start({
      workspace: 'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  baseUrl: http://127.0.0.1:1\n',
    });
    expect(find(await examine(harness.session(), FACTS), 'account').remedy).toContain('acc-acme, acc-other');
  });

  it('is not known where answers tell nothing', async () => {
    const harness = await start();
    const report = await examine(
      harness.session({ transport: answering({ '*': { status: 500 }, '/api/sites': { body: '{"sites":["none"]}' } }) }),
      FACTS,
    );
    expect(find(report, 'account').verdict).toBe('unknown');
    const shut = await examine(
      harness.session({ transport: answering({ '*': refusal(403, 'insufficient_scope') }) }),
      FACTS,
    );
    expect(find(shut, 'reached').verdict).toBe('unknown');
  });
});

describe('a platform that fails', () => {
  it.each([500, 503, 429])('with %i only is a problem, and its token could not be checked', async (status) => {
    const harness = await start();
    const report = await examine(harness.session({ transport: answering({ '*': { status } }) }), FACTS);
    expect(find(report, 'answers')).toMatchObject({ verdict: 'problem', says: containing(`answers with ${status}`) });
    expect(find(report, 'token')).toMatchObject({
      verdict: 'warning',
      says: `The token could not be checked: the platform answers with ${status}.`,
    });
    expect(report.findings.filter(({ area, verdict }) => area === 'account' && verdict === 'ok')).toEqual([]);
  });

  it('with 503 in one area has a token that it takes', async () => {
    const harness = await start();
    const report = await examine(harness.session({ transport: answering({ '/api/sites': { status: 503 } }) }), FACTS);
    expect(find(report, 'token').verdict).toBe('ok');
  });
});

describe('the features', () => {
  it.each([
    ['registrations', '/api/domain_registrations', refusal(503, 'feature_disabled'), 'off for this account'],
    ['mailspaces', '/api/mailspace', refusal(503, 'mailhost_unavailable'), 'not set up'],
    ['panel', '/api/panel_accounts?per_page=1', refusal(403, 'panel_not_enabled'), 'not enabled'],
  ])(
    '%s: to be without is no fault, and anything else that stands in the way is not known',
    async (check, path, absent, words) => {
      const harness = await start();
      expect(
        find(await examine(harness.session({ transport: answering({ [path]: absent }) }), FACTS), check),
      ).toMatchObject({ verdict: 'ok', says: containing(words) });
      expect(
        find(
          await examine(harness.session({ transport: answering({ [path]: refusal(503, 'maintenance') }) }), FACTS),
          check,
        ),
      ).toMatchObject({ verdict: 'unknown', says: containing('503 (maintenance)') });
    },
  );

  it('of sites are told by the first of them', async () => {
    const harness = await start({ scenario: 'shield' });
    const report = await examine(harness.session(), FACTS);
    expect(verdicts(report, 'features')).toMatchObject({ cdn: 'ok', shield: 'ok', 'site mail': 'ok' });
    const site = { id: 'site-1', name: 'shop', account: { id: 'acc-acme' } };
    const sites = { '/api/sites': { body: JSON.stringify({ sites: [site] }) } };
    const made = (answers: Parameters<typeof answering>[0]) =>
      examine(harness.session({ transport: answering({ ...sites, ...answers }) }), FACTS);
    const off = await made({
      '/api/sites/site-1/cdn': refusal(409, 'cdn_not_active'),
      '/api/sites/site-1/shield': refusal(403, 'shield_not_in_plan'),
      '/api/sites/site-1/mail': { body: '{"mail":{"status":"active"}}' },
    });
    expect(['cdn', 'shield', 'site mail'].map((check) => find(off, check).says)).toEqual([
      'The CDN of site shop is off (CDN-01).',
      'The plan of site shop has no Shield (SHD-01).',
      'Mail of site shop: active.',
    ]);
    const odd = await made({ '/api/sites/site-1/shield': { body: '{"active":false}' } });
    expect(['cdn', 'shield'].map((check) => find(odd, check).says)).toEqual([
      'Whether the CDN of site shop is on, its answer does not say.',
      'Shield of site shop is off.',
    ]);
  });

  it('billing is known by what paid the newest order, and not by silence (ORD-09, ORD-14)', async () => {
    const harness = await start();
    const orders = { '/api/orders?per_page=1': { body: '{"orders":[{"id":"order-1"}]}' } };
    const paidBy = async (method: string) =>
      find(
        await examine(
          harness.session({
            transport: answering({
              ...orders,
              '/api/orders/order-1': { body: `{"payment":{"method_type":${method}}}` },
            }),
          }),
          FACTS,
        ),
        'billing',
      );
    expect(await paidBy('"card"')).toMatchObject({ verdict: 'ok', says: containing('(card)') });
    expect(await paidBy('null')).toMatchObject({ verdict: 'unknown', says: containing('somebody outside') });
  });
});

describe('the platform', () => {
  const ticking = (stepMs: number): Session['clock'] => {
    let nowMs = NOW_MS;
    return { now: () => (nowMs += stepMs), sleep: () => Promise.resolve() };
  };

  it.each([
    [0, 'ok', '0 s apart'],
    [59_000, 'ok', '59 s apart'],
    [-61_000, 'warning', '61 s ahead of'],
    [3_600_000, 'warning', '3600 s behind'],
  ])('its clock, %i ms ahead', async (aheadMs, verdict, words) => {
    const clock = { now: () => NOW_MS, sleep: () => Promise.resolve() };
    const report = await examine(
      (await start()).session({
        clock,
        transport: answering({ '*': { headers: { date: new Date(NOW_MS + aheadMs).toUTCString() } } }),
      }),
      FACTS,
    );
    expect(find(report, 'clock')).toMatchObject({ verdict, says: containing(words) });
  });

  it('without a date in its answers the clocks are not compared; slow answers are told', async () => {
    const report = await examine((await start()).session({ clock: ticking(2500), transport: answering({}) }), FACTS);
    expect(verdicts(report, 'platform')).toEqual({ answers: 'ok', clock: 'unknown', 'round trip': 'warning' });
  });

  it('that does not answer is a problem, asked once, and everything else is told all the same', async () => {
    const harness = await start({ ledger: true });
    const report = await examine(
      harness.session({
        transport: () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })),
      }),
      FACTS,
    );
    expect(find(report, 'answers').verdict).toBe('problem');
    expect(report.requests).toEqual([{ path: '/api/sites', account: false, answer: 'no answer' }]);
    expect(verdicts(report)).toMatchObject({ token: 'unknown', ledger: 'ok', lock: 'ok' });
  });

  it('at an address that nothing may be sent to: nothing is', async () => {
    const harness = await start({
      workspace:
        'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://api.example.com\n',
    });
    const report = await examine(harness.session({ overrides: {} }), FACTS);
    expect(verdicts(report)).toMatchObject({ HW6002: 'problem', answers: 'problem' });
    expect(report.requests).toEqual([]);
  });

  it('may say back what it was sent: the token is in nothing that is told (promise 9)', async () => {
    const token = 'very-secret-token';
    const echo = (body: unknown): Partial<TransportAnswer> => ({ status: 503, body: JSON.stringify(body) });
    const report = await examine(
      (await start()).session({
        token,
        transport: answering({
          '*': echo({ errors: [token], code: `c_${token}` }),
          '/api/sites': { body: JSON.stringify({ sites: [{ account: { id: token, name: token } }] }) },
        }),
      }),
      FACTS,
    );
    expect(JSON.stringify(report)).not.toContain(token);
    const gone = await examine(
      (await start()).session({ token, transport: () => Promise.reject(new Error(`no route for ${token}`)) }),
      FACTS,
    );
    expect(JSON.stringify(gone)).not.toContain(token);
  });
});

describe('the ledger', () => {
  it('missing, partial, complete, damaged', async () => {
    const harness = await start();
    const look = () => examine(harness.session(), FACTS);
    expect(verdicts(await look(), 'ledger')).toEqual({ ledger: 'warning', lock: 'ok', writing: 'ok' });
    const header = (standing: 'complete' | 'partial', account = 'acc-acme') =>
      formatLedger({ account, standing, after: 0 }, []);
    await ledgerCommand(harness.session(), { do: 'init' });
    expect(verdicts(await look(), 'ledger')).toEqual({ ledger: 'ok', 'in flight': 'ok', lock: 'ok', writing: 'ok' });
    await harness.write('.hostwright/ledger.jsonl', header('partial'));
    expect(find(await look(), 'ledger').verdict).toBe('warning');
    await harness.write('.hostwright/ledger.jsonl', header('complete', 'acc-other'));
    expect(find(await look(), 'ledger')).toMatchObject({ verdict: 'problem', says: containing('HW5002') });
  });

  it.each([
    [
      'a run that is here',
      { hostname: 'test-host', pid: process.pid, since: new Date(NOW_MS - 60_000).toISOString() },
      'ok',
      'That process runs',
    ],
    [
      'a run that died here',
      { hostname: 'test-host', pid: 999_999_999, since: new Date(NOW_MS - 60_000).toISOString() },
      'warning',
      'no longer runs',
    ],
    [
      'a run elsewhere',
      { hostname: 'other-host', pid: 1, since: new Date(NOW_MS - 60_000).toISOString() },
      'ok',
      'cannot be seen from here',
    ],
    [
      'a run elsewhere, for hours',
      { hostname: 'other-host', pid: 1, since: new Date(NOW_MS - 7_200_000).toISOString() },
      'warning',
      'cannot be seen from here',
    ],
  ])('its lock: %s', async (_who, holder, verdict, words) => {
    const harness = await start({ ledger: true });
    const space = await readlink('/proc/self/ns/pid').catch(() => '');
    await harness.write(
      '.hostwright/ledger.jsonl.lock',
      JSON.stringify({ token: 'abc', user: 'ada', runId: 'r1', started: '', space, ...holder }),
    );
    const report = await examine(
      harness.session({ clock: { now: () => NOW_MS, sleep: () => Promise.resolve() } }),
      FACTS,
    );
    expect(find(report, 'lock')).toMatchObject({ verdict, says: containing(words) });
  });

  it('a lock that cannot be read is a problem', async () => {
    const harness = await start({ ledger: true });
    await harness.write('.hostwright/ledger.jsonl.lock', 'what?');
    expect(find(await examine(harness.session(), FACTS), 'lock').verdict).toBe('problem');
  });

  it('that could not be written is a problem, found without writing', async () => {
    const harness = await start({
      workspace:
        'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  ledger: { file: state/ledger.jsonl }\n',
      files: { state: 'a file' },
    });
    expect(find(await examine(harness.session(), FACTS), 'writing')).toMatchObject({
      verdict: 'problem',
      says: containing('is no folder'),
    });
  });

  it('on a remote that is not there: nothing is known of it, and the rest is told', async () => {
    const harness = await start({
      workspace:
        'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  ledger: { git: {} }\n',
    });
    const report = await examine(
      harness.session({ ledger: { waitMs: 0, programEnv: { PATH: process.env.PATH } } }),
      FACTS,
    );
    expect(verdicts(report, 'ledger')).toEqual({ ledger: 'problem', lock: 'unknown', writing: 'unknown' });
    expect(verdicts(report)).toMatchObject({ token: 'ok' });
  });

  it('what an earlier run left in flight is named', async () => {
    const harness = await start({ ledger: true });
    const begun = createThing('shop');
    await harness.write(
      '.hostwright/ledger.jsonl',
      formatLedger({ account: 'acc-acme', standing: 'complete', after: 0 }, [
        { n: 1, atMs: NOW_MS, entry: { type: 'begin', runId: 'r1', action: begunOf(begun), known: {}, effects: [] } },
        { n: 2, atMs: NOW_MS, entry: { type: 'sent', address: begun.address, step: begun.steps[0]?.name ?? '' } },
      ]),
    );
    expect(find(await examine(harness.session(), FACTS), 'in flight')).toMatchObject({
      verdict: 'warning',
      says: containing(begun.address),
    });
  });
});

describe('secrets', () => {
  it('are there or not; nothing of a value is shown', async () => {
    const harness = await start({
      workspace:
        'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  secrets: { env: [ALICE, BOB, EVE], files: [one.txt, two.txt, three.txt, many, one.txt/x], keep: [kept, made] }\n',
    });
    for (const name of ['one.txt', 'two.txt']) await writeFile(join(harness.root, name), 'hunter2');
    await chmod(join(harness.root, 'one.txt'), 0o600);
    await chmod(join(harness.root, 'two.txt'), 0o644);
    await mkdir(join(harness.root, 'many'));
    await mkdir(join(harness.root, 'made'));
    const env = (name: string): string | undefined => ({ ALICE: 'hunter2', EVE: '' })[name];
    const report = await examine(harness.session({ env }), FACTS);
    expect(verdicts(report, 'secrets')).toEqual({
      'env ALICE': 'ok',
      'env BOB': 'warning',
      'env EVE': 'warning',
      'file one.txt': 'ok',
      'file two.txt': 'warning',
      'file three.txt': 'warning',
      'file many': 'ok',
      'file one.txt/x': 'problem',
      'file kept': 'ok',
      'file made': 'ok',
    });
    expect(JSON.stringify(report)).not.toContain('hunter2');
  });
});

describe('what is missing', () => {
  it('no workspace file: flags or environment are enough for the platform', async () => {
    const harness = await start();
    const bare = { cwd: '/', overrides: { baseUrl: harness.sandbox.url } };
    const without = await examine(harness.session(bare), FACTS);
    expect(verdicts(without)).toMatchObject({ 'workspace file': 'warning', token: 'ok', account: 'problem' });
    const withAccount = await examine(
      harness.session({ ...bare, overrides: { ...bare.overrides, account: 'acc-acme' } }),
      FACTS,
    );
    expect(verdicts(withAccount)).toMatchObject({ 'workspace file': 'warning', account: 'ok', ledger: 'warning' });
  });

  it('neither file nor address nor token: both are said at once, and nothing is sent', async () => {
    const harness = await start();
    const report = await examine(harness.session({ cwd: '/', overrides: {}, token: undefined }), FACTS);
    expect(verdicts(report)).toMatchObject({ answers: 'problem', token: 'problem' });
    expect(verdicts(await examine(harness.session({ cwd: '/', overrides: {} }), FACTS))).toMatchObject({
      answers: 'problem',
    });
    expect([report.requests, harness.sandbox.requests]).toEqual([[], []]);
  });

  it('a workspace file that cannot be read: what is wrong with it, and the program', async () => {
    const harness = await start({ workspace: 'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  acount: x\n' });
    const report = await examine(harness.session(), { ...FACTS, node: 'v20.9.1' });
    expect(verdicts(report)).toMatchObject({ HW1201: 'problem', node: 'problem', hostwright: 'ok' });
    expect(find(report, 'HW1201').says).toContain('hostwright.yaml:4');
  });
});

describe('the settings', () => {
  it('a flag beats the environment, which beats the file, which beats what is built in', async () => {
    const harness = await start({
      workspace:
        'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-file\n  baseUrl: http://127.0.0.1:1\n  manifests: [sites]\n  ledger: { git: {} }\n  guards: { allowDeletes: 2, maxSpend: { amount: "15.00", currency: EUR } }\n  credential: { type: oauth, scopes: [sites:read] }\n',
    });
    const settings = [
      { name: 'account', flag: 'acc-flag', environment: 'acc-env', fallback: 'none' },
      { name: 'baseUrl', environment: 'http://127.0.0.1:2', fallback: 'none' },
      { name: 'timeout', environment: '', fallback: '2m' },
      { name: 'HOSTWRIGHT_TOKEN', environment: 'set', fallback: 'not set' },
    ];
    const table = (await examine(harness.session({ token: undefined }), { ...FACTS, settings })).settings;
    const row = (name: string) => table.find((setting) => setting.name === name);
    expect(row('account')).toEqual({
      name: 'account',
      from: 'flag',
      value: 'acc-flag',
      beats: [
        { from: 'environment', value: 'acc-env' },
        { from: 'file', value: 'acc-file' },
      ],
    });
    expect(row('baseUrl')).toEqual({
      name: 'baseUrl',
      from: 'environment',
      value: 'http://127.0.0.1:2',
      beats: [{ from: 'file', value: 'http://127.0.0.1:1' }],
    });
    expect(row('timeout')).toEqual({ name: 'timeout', from: 'default', value: '2m', beats: [] });
    expect(row('HOSTWRIGHT_TOKEN')).toMatchObject({ value: 'set', from: 'environment' });
    expect(table.filter(({ from }) => from === 'file').map(({ name, value }) => `${name}=${value}`)).toEqual([
      'manifests=sites',
      'ledger=git origin refs/hostwright/ledger',
      'guards.allowDeletes=2',
      'guards.maxSpend=15.00 EUR',
      'credential.type=oauth',
      'credential.scopes=sites:read',
    ]);
    expect(row('credential.sendAs')).toMatchObject({ value: 'bearer', from: 'default' });
  });
});
