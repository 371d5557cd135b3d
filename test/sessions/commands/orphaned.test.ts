// What was made or declared by us and no manifest names any more: listed with who made it and when, seen live, and with
// lines that delete it and lines that keep it. Each of those lines is written and run here.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import type { Orphaned } from '../../../src/model/plan/orphaned.ts';
import { MISSING_LEDGER } from '../../../src/model/plan/ledger-view.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import { entriesOf, replay } from '../../../src/ledger/state.ts';
import { planOutcome } from '../../../src/cli/exit-code.ts';
import { manifest, workspaceFile } from '../../support/manifests.ts';
import { findSchemaProblem } from '../../support/written-schemas.ts';
import { verifyPlan } from '../../../src/planner/digest.ts';
import { renderSavedPlan } from '../../../src/report/json/index.ts';
import { scenarioState } from '../../../src/sandbox/scenarios.ts';
import { addSite } from '../../../src/sandbox/core/state.ts';
import type { State } from '../../../src/sandbox/core/state.ts';
import { driftWorkspace } from '../../../src/usecases/drift.ts';
import { exportAccount } from '../../../src/usecases/export.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { containing } from '../../support/matchers.ts';

const env = (name: string): string | undefined => (name === 'MAIL_PASSWORD' ? 'a-very-secret-word' : undefined);
const FILE = 'sites/one.json';

function start(text: string, options: HarnessOptions = {}): Promise<Harness> {
  const workspace = workspaceFile('manifests: [sites], secrets: { env: [MAIL_PASSWORD] }');
  return openHarness({ files: { [FILE]: text }, workspace, ledger: true, ...options });
}

async function apply(one: Harness, options: Parameters<Harness['apply']>[0] = {}): Promise<void> {
  const { outcome } = await one.apply({ allowDeletes: 9, allowCharges: 1, ...options }, { env });
  expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
}

async function orphanedOf(one: Harness): Promise<readonly Orphaned[]> {
  return (await one.planned()).orphaned ?? [];
}

const rule = (name: string) => ({
  name,
  triggers: [{ type: 'Url', patterns: [`*/${name}/*`] }],
  action: { type: 'BlockRequest' },
});

const CACHING = { caching: { smartCache: true } };
const isRecord = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** The lines pasted under `spec:`, into what is there. */
function pasted(spec: JsonObject, yaml: string): JsonObject {
  const merge = (left: JsonObject, right: JsonObject): JsonObject => ({
    ...left,
    ...Object.fromEntries(
      Object.entries(right).map(([key, value]) => {
        const before = left[key];
        return [key, isRecord(before) && isRecord(value) ? merge(before, value) : value];
      }),
    ),
  });
  return merge(spec, parse(yaml) as JsonObject);
}

/** The panel accounts, and a site that stays. */
function panelAndDocs(): State {
  const state = scenarioState('panel');
  addSite(state, { id: 'site-docs', accountId: 'acc-acme', name: 'docs', package: 'pro' });
  return state;
}

interface Case {
  readonly rule: string;
  readonly kind: string;
  readonly root: string;
  readonly id?: string;
  readonly scenario?: string;
  readonly name?: string;
  /** What stays in the manifest. */
  readonly stays: JsonObject;
  /** What a later commit added, and a revert took away again. */
  readonly added: JsonObject;
  readonly identity: string;
  /** It was there before we declared it. */
  readonly was?: true;
}

const SHIELD = { shield: { enabled: true, plan: 'advanced' } };
const shield = (part: JsonObject): JsonObject => ({ shield: { ...SHIELD.shield, ...part } });
const MAIL = { root: 'Mailspace', scenario: 'mail', name: 'shop.example.com', stays: {} } as const;
const NEW_BOX = {
  mailboxes: [{ address: 'new@shop.example.com', displayName: 'New', password: { env: 'MAIL_PASSWORD' } }],
};
const IN_SITE = { root: 'Site', id: 'site-docs', stays: CACHING } as const;
const IN_SHIELD = { root: 'Site', id: 'site-premium', scenario: 'shield', stays: SHIELD } as const;

const CASES: readonly Case[] = [
  { rule: 'EDG-14', kind: 'EdgeRule', ...IN_SITE, added: { edgeRules: [rule('first')] }, identity: 'first' },
  {
    rule: 'DOM-10',
    kind: 'SiteDomain',
    ...IN_SITE,
    added: { domains: ['docs.example.com', { hostname: 'new.example.org', attach: 'dns' }] },
    identity: 'new.example.org',
  },
  {
    rule: 'SHD-14',
    kind: 'ShieldCustomRule',
    ...IN_SHIELD,
    added: shield({
      customRules: [{ name: 'one', action: 'block', variable: 'REQUEST_URI', operator: 'contains', value: '/one' }],
    }),
    identity: 'one',
  },
  {
    rule: 'SHD-16',
    kind: 'ShieldRateLimit',
    ...IN_SHIELD,
    added: shield({
      rateLimits: [
        {
          name: 'one',
          action: 'rateLimit',
          requestCount: 5,
          timeframe: 10,
          conditions: [{ variable: 'REQUEST_URI', operator: 'contains', value: '/login' }],
        },
      ],
    }),
    identity: 'one',
  },
  {
    rule: 'SHD-21',
    kind: 'ShieldAccessList',
    ...IN_SHIELD,
    added: shield({ accessLists: [{ name: 'one', description: 'ours', type: 'ip', content: ['192.0.2.1'] }] }),
    identity: 'one',
  },
  {
    rule: 'MDM-12',
    ...MAIL,
    kind: 'MailDomain',
    added: { domains: [{ name: 'shop.example.net' }] },
    identity: 'shop.example.net',
    was: true,
  },
  { rule: 'MBX-23', ...MAIL, kind: 'Mailbox', added: NEW_BOX, identity: 'new@shop.example.com' },
  {
    rule: 'ALS-07',
    ...MAIL,
    kind: 'MailAlias',
    added: { ...NEW_BOX, aliases: [{ address: 'info2@shop.example.com', target: 'new@shop.example.com' }] },
    stays: NEW_BOX,
    identity: 'info2@shop.example.com',
  },
];

describe('each kind of object that a list of a manifest holds', () => {
  for (const one of CASES) {
    const text = (spec: JsonObject): string => manifest(one.root, one.name ?? 'one', spec, { id: one.id });
    const reverted = async (): Promise<Harness> => {
      const begun = await start(text(pasted(one.stays, JSON.stringify(one.added))), {
        ...(one.scenario !== undefined && { scenario: one.scenario }),
      });
      await apply(begun);
      await begun.write(FILE, text(one.stays));
      return begun;
    };

    it(`${one.rule}: ${one.kind}: is listed, and goes by the lines that are printed`, async () => {
      const begun = await reverted();
      const plan = await begun.planned();
      expect(plan.actions).toEqual([]);
      expect(isEmptyPlan(plan), 'nothing that is declared differs').toBe(true);
      const [group] = plan.orphaned ?? [];
      expect(group?.objects.map(({ address, made }) => [address.split('/').at(-1), made?.by])).toContainEqual([
        one.identity,
        one.was === true ? 'recorded' : 'created',
      ]);
      expect(group?.file).toBe(FILE);
      await begun.write(FILE, text(pasted(one.stays, group?.remove?.yaml ?? '')));
      await apply(begun);
      await begun.write(FILE, text(one.stays));
      const left = (await orphanedOf(begun)).flatMap(({ objects }) => objects.map(({ address }) => address));
      expect(left.filter((address) => address.endsWith(`/${one.identity}`))).toEqual([]);
    });

    it(`${one.rule}: ${one.kind}: is kept by the lines that are printed`, async () => {
      const begun = await reverted();
      const [group] = await orphanedOf(begun);
      await begun.write(FILE, text(pasted(one.stays, group?.keep?.yaml ?? '')));
      const plan = await begun.planned();
      expect(plan.actions).toEqual([]);
      expect(plan.orphaned).toBeUndefined();
    });
  }
});

describe('what no line of a manifest deletes', () => {
  it('GAP-41: a mail group says who deletes it and how, and its lines keep it', async () => {
    const group = { groups: [{ email: 'new@shop.example.com', name: 'New', members: ['anna@shop.example.com'] }] };
    const text = (spec: object): string => manifest('Mailspace', 'shop.example.com', spec);
    const one = await start(text(group), { scenario: 'mail' });
    await apply(one);
    await one.write(FILE, text({}));
    const [orphaned] = await orphanedOf(one);
    expect(orphaned?.objects.map(({ address }) => address)).toEqual([
      'Mailspace/shop.example.com/MailGroup/new@shop.example.com',
    ]);
    expect(orphaned?.remove).toEqual({ reason: containing('dashboard') });
    await one.write(FILE, text(pasted({}, orphaned?.keep?.yaml ?? '')));
    expect((await one.planned()).orphaned).toBeUndefined();
  });
});

describe('an object whose whole manifest is gone', () => {
  const OTHER = { 'sites/other.json': manifest('Site', 'other', CACHING, { id: 'site-docs' }) };
  const gone = async (text: string, options: HarnessOptions = {}): Promise<Harness> => {
    const one = await start(text, { ...options, files: { [FILE]: text, ...OTHER } });
    await apply(one);
    await rm(join(one.root, FILE));
    return one;
  };

  it('SIT-07: a site is listed by its address, with what is in it, once; the manifest that is printed deletes it', async () => {
    const one = await gone(manifest('Site', 'one', { ...CACHING, edgeRules: [rule('first')] }, { id: 'site-shop' }));
    const [orphaned, ...more] = await orphanedOf(one);
    expect(more).toEqual([]);
    expect(orphaned).toMatchObject({ collection: 'Site/one', objects: [{ address: 'Site/one' }] });
    expect(orphaned?.file).toBeUndefined();
    await one.write('sites/one.yaml', orphaned?.remove?.yaml ?? '');
    const { outcome } = await one.apply({ allowDeletes: 1 });
    expect(outcome.actions).toMatchObject([{ address: 'Site/one', verb: 'delete', result: 'done' }]);
    await rm(join(one.root, 'sites/one.yaml'));
    expect(await orphanedOf(one)).toEqual([]);
  });

  it('is kept by the command that is printed, under its name', async () => {
    const one = await gone(manifest('Site', 'one', CACHING, { id: 'site-shop' }));
    const [orphaned] = await orphanedOf(one);
    expect(orphaned?.keep?.command).toBe('hostwright export Site/one --out .');
    const { diagnostics, manifests } = await exportAccount(one.session(), { targets: ['Site/one'], out: '.' });
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(manifests?.map(({ address }) => address)).toEqual(['Site/one']);
    expect(await orphanedOf(one)).toEqual([]);
  });

  it('is not spoken of any more once the ledger forgets it', async () => {
    const one = await gone(manifest('Site', 'one', { ...CACHING, edgeRules: [rule('first')] }, { id: 'site-shop' }));
    await ledgerCommand(one.session(), { do: 'forget', address: 'Site/one' });
    expect(await orphanedOf(one)).toEqual([]);
  });

  it('PNL-18: a panel account: the manifest that is printed schedules its deletion', async () => {
    const one = await gone(manifest('PanelAccount', 'one', {}, { id: 'acmeblog' }), { scenario: panelAndDocs });
    const [orphaned] = await orphanedOf(one);
    expect(orphaned?.collection).toBe('PanelAccount/one');
    await one.write(FILE, JSON.stringify(parse(orphaned?.remove?.yaml ?? '')));
    const { outcome } = await one.apply({ allowDeletes: 1 });
    expect(outcome.actions).toMatchObject([{ address: 'PanelAccount/one', verb: 'delete', result: 'done' }]);
  });

  it('GAP-37: a mailspace says who deletes it; MSP-06: one that was bought is not forgotten', async () => {
    const one = await start(manifest('Mailspace', 'new.example.com', { package: 'mail_5', order: {} }), {
      scenario: 'mail',
    });
    await one.apply({ allowCharges: 1 });
    await one.write(FILE, manifest('Mailspace', 'shop.example.com'));
    const orphaned = await orphanedOf(one);
    expect(orphaned).toMatchObject([
      { collection: 'Mailspace/new.example.com', remove: { reason: containing('dashboard') } },
    ]);
  });

  it('REG-01: a registration is listed, and says that nothing deletes it', async () => {
    const one = await start(manifest('DomainRegistration', 'plain.com'), { scenario: 'registrar' });
    await one.apply();
    await one.write(
      FILE,
      manifest('User', 'rob', { email: 'rob@example.com', fname: 'Rob', lname: 'R' }, { id: 'user-rob' }),
    );
    const orphaned = await orphanedOf(one);
    expect(orphaned).toMatchObject([
      { collection: 'DomainRegistration/plain.com', remove: { reason: expect.any(String) as string } },
    ]);
  });
});

describe('nothing is believed from the ledger', () => {
  const text = (spec: object): string => manifest('Site', 'one', spec, { id: 'site-docs' });
  const reverted = async (): Promise<Harness> => {
    const one = await start(text({ ...CACHING, edgeRules: [rule('first')] }));
    await apply(one);
    await one.write(FILE, text(CACHING));
    return one;
  };

  it('promise 2: what is not live any more is not listed', async () => {
    const one = await reverted();
    one.site('docs').edgeRules.splice(0);
    expect(await orphanedOf(one)).toEqual([]);
  });

  it('promise 2: what cannot be read is told as such, with no lines that could delete it', async () => {
    const one = await reverted();
    one.site('docs').cdn.zone = 'none';
    const [orphaned] = await orphanedOf(one);
    expect(orphaned).toMatchObject({
      objects: [{ address: 'Site/one/EdgeRule/first', unread: expect.any(String) as string }],
    });
    expect(orphaned?.remove).toBeUndefined();
    expect(orphaned?.keep).toBeUndefined();
  });

  it('another object under its name is not ours', async () => {
    const one = await reverted();
    for (const live of one.site('docs').edgeRules) (live as { Guid: string }).Guid = 'another';
    expect(await orphanedOf(one)).toEqual([]);
  });

  it('a plan of some manifests says nothing of those that it did not read', async () => {
    const one = await start(manifest('Site', 'one', CACHING, { id: 'site-docs' }), {
      files: {
        [FILE]: manifest('Site', 'one', CACHING, { id: 'site-docs' }),
        'sites/other.json': manifest('Site', 'other', CACHING, { id: 'site-shop' }),
      },
    });
    await apply(one);
    expect((await one.planned({ paths: [FILE] })).orphaned).toBeUndefined();
  });

  it('drift lists it, ends as without it, and leaves it out where it is told to', async () => {
    const one = await reverted();
    const run = (ignore: readonly string[]) => driftWorkspace(one.session(), { paths: [], targets: [], ignore });
    const { plan } = await run([]);
    expect(plan?.orphaned).toHaveLength(1);
    expect(plan?.drift).toEqual([]);
    expect(
      planOutcome({ ...(plan !== undefined && { plan }), diagnostics: [] }, { detailed: true, stopped: false }),
    ).toBe('done');
    const ignored = await run(['Site/one/EdgeRule/*']);
    expect(ignored.plan?.orphaned).toEqual([]);
    expect(ignored.plan?.ignored).toMatchObject([{ address: 'Site/one/EdgeRule/first', as: 'orphaned' }]);
  });

  it('a saved plan with it is still the plan that it was', async () => {
    const one = await reverted();
    const plan = JSON.parse(renderSavedPlan(await one.planned())) as Plan;
    expect(findSchemaProblem(plan)).toBeUndefined();
    expect(verifyPlan(plan)).toEqual([]);
  });
});

it('a ledger that is written anew still knows when it was made', () => {
  const objects = new Map([
    [
      'Site/one/EdgeRule/first',
      {
        address: 'Site/one/EdgeRule/first',
        id: 'a',
        owned: true,
        applied: {},
        createdAtMs: 5,
        appliedAtMs: 7,
        outputs: {},
      },
    ],
  ]);
  const lines = entriesOf({ ...MISSING_LEDGER, objects }).map(({ entry }, n) => ({ n, atMs: 9, entry }));
  const again = replay({ account: 'acc', standing: 'complete', after: 0 }, lines);
  expect([...again.objects]).toEqual([...objects]);
});
