// What `explain` says to do about a code of a plan or a run, done to the letter: the code is not told again. The codes
// of manifests and of the workspace file are in manifest/diagnostics.test.ts.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { codes } from '../../../src/manifest/read/codes.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import type { ApplyOptions } from '../../../src/usecases/apply/run.ts';
import { CODES } from '../../../src/usecases/explain/codes/index.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import type { Harness } from '../../support/harness.ts';
import { startHarness } from '../../support/harness.ts';

type Manifests = readonly JsonObject[];
interface Trial {
  readonly scenario?: string;
  /** False: there is no ledger yet. */
  readonly ledger?: false;
  readonly before: Manifests;
  /** With the edit that is advised; absent: the manifests stay. */
  readonly after?: Manifests;
  /** It is told by apply; the options before, and those that are advised. */
  readonly apply?: readonly [before: Partial<ApplyOptions>, after: Partial<ApplyOptions>];
}

const manifest = (kind: string, name: string, spec: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'hostwright/v1',
  kind,
  metadata: { name },
  ...more,
  spec,
});
const live = (name: string, spec: JsonObject, more: JsonObject = {}): JsonObject =>
  manifest('Site', name, spec, { metadata: { name, id: `site-${name}` }, ...more });
const name = (of: string, spec: JsonObject): JsonObject => manifest('DomainRegistration', of, spec);
const absent = { lifecycle: { state: 'absent' } };
const alone = live('shop', { domains: ['shop.example.com'], unlisted: { domains: 'remove' } });
const bigger = live('docs', { plan: 'pro' });

const TRIALS: Readonly<Record<string, Trial>> = {
  HW2001: {
    before: [manifest('Site', 'shop', {}, { metadata: { name: 'shop', id: 'site-shoop' } })],
    after: [live('shop', {})],
  },
  HW2003: {
    before: [manifest('Site', 'a', { domains: ['shop.example.com', 'docs.example.com'] })],
    after: [live('shop', { domains: ['shop.example.com'] })],
  },
  HW2004: {
    before: [live('shop', {}), manifest('Site', 'other', { domains: ['shop.example.com'] })],
    after: [live('shop', {})],
  },
  HW2006: { before: [live('docs', {}, absent)], after: [live('docs', {})] },
  HW2045: { ledger: false, before: [live('shop', {})] },
  HW2060: { before: [manifest('Site', 'gone', {}, { metadata: { name: 'gone', id: 'gone' }, ...absent })], after: [] },
  HW2061: {
    before: [
      manifest('Site', 'new', { plan: 'gold', order: { variant: 'vanilla', location: 'ams', term: 'monthly' } }),
    ],
    after: [manifest('Site', 'new', { plan: 'mini', order: { variant: 'vanilla', location: 'ams', term: 'monthly' } })],
  },
  HW2201: {
    before: [live('docs', {}, { lifecycle: { state: 'absent', protect: true } })],
    after: [live('docs', {}, { lifecycle: { state: 'absent', protect: false } })],
    apply: [{ allowDeletes: 1 }, { allowDeletes: 1 }],
  },
  HW2202: { before: [alone], apply: [{}, { allowDeletes: 1 }] },
  HW2204: { before: [bigger], apply: [{}, { allowCharges: 1 }] },
  HW2205: { before: [bigger], apply: [{ allowCharges: 1, maxSpend: '0.01 EUR' }, { allowCharges: 1 }] },
  HW2206: { ledger: false, before: [bigger], apply: [{ allowCharges: 1 }, { allowCharges: 1 }] },
  HW2210: {
    before: [alone],
    apply: [
      { allowDeletes: 1, approve: ['create'] },
      { allowDeletes: 1, approve: ['create', 'delete'] },
    ],
  },
  HW2310: {
    scenario: 'registrar',
    before: [name('plain.com', { autoRenew: false })],
    after: [name('plain.com', { autoRenew: true })],
  },
  HW2390: {
    scenario: 'shield',
    before: [live('premium', { shield: { waf: { disabledRules: ['942110'] } } })],
    after: [live('premium', { shield: { waf: { disabledRules: ['942100'] } } })],
  },
  HW2501: {
    scenario: 'registrar',
    before: [name('signed.com', { nameservers: ['ns1.elsewhere.example', 'ns2.elsewhere.example'] })],
    after: [name('signed.com', { dnssec: { enabled: false } })],
  },
};

/** The tests that do what is advised. */
const TRIED: Readonly<Record<string, string>> = {
  HW2007: 'sessions/site/moves.test.ts',
  HW2302: 'kinds/shield/shield.test.ts',
  HW7006: 'terraform/core.test.ts',
  HW7025: 'terraform/core.test.ts',
};
/** A person outside has to act, or nothing has to be done. */
const OUTSIDE: Readonly<Record<string, string>> = {
  HW2011: 'the platform, which takes some minutes',
  HW2046: 'the dashboard, which alone sets the action of a list',
  HW2392: 'whoever reads the mail, or the dashboard',
  HW2393: 'the bank, or the holder of the card',
};
/** Codes of a plan or a run whose advice nobody follows in a test yet: only ever fewer. */
const NOT_YET = 226;

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

describe('the advice on a code of a plan or a run', () => {
  it('is followed here, or in a test that there is; of the rest there are only ever fewer', () => {
    const known = [...Object.keys(TRIALS), ...Object.keys(TRIED), ...Object.keys(OUTSIDE)];
    expect(known.filter((code) => !CODES.includes(code))).toEqual([]);
    for (const [code, file] of Object.entries(TRIED)) {
      const test = join(import.meta.dirname, '../..', file);
      expect(existsSync(test) && readFileSync(test, 'utf8').includes(code), `${code} ${file}`).toBe(true);
    }
    const rest = CODES.filter((code) => !known.includes(code) && !(code in codes));
    expect(rest.length, rest.join(' ')).toBeLessThanOrEqual(NOT_YET);
  });

  it.each(Object.entries(TRIALS))('%s helps', async (code, { scenario, ledger = true, before, after, apply }) => {
    const one = (harness = await startHarness({
      ...(ledger && { ledger }),
      ...(scenario !== undefined && { scenario }),
      workspace:
        'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [sites]\n  ledger: { file: .hostwright/ledger.json }\n',
    }));
    const told = async (manifests: Manifests, options?: Partial<ApplyOptions>): Promise<readonly string[]> => {
      const all = [...manifests, manifest('SiteProfile', 'filler', {})];
      await one.write('sites/all.yaml', all.map((each) => JSON.stringify(each)).join('\n---\n'));
      if (options !== undefined) {
        const { outcome } = await one.apply(options);
        return outcome.diagnostics.map((diagnostic) => diagnostic.code);
      }
      const { plan, diagnostics } = await one.plan();
      return [...(plan?.notices ?? []), ...diagnostics].map((diagnostic) => diagnostic.code);
    };
    expect(await told(before, apply?.[0])).toContain(code);
    if (!ledger) await ledgerCommand(one.session(), { do: 'init' });
    expect(await told(after ?? before, apply?.[1])).not.toContain(code);
  });
});
