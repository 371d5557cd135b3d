// `dns --check`: the platform looks at mail domains again, once in five minutes a domain, after a person agreed.
import { describe, expect, it } from 'vitest';
import { listRecords } from '../../../src/usecases/dns/records.ts';
import { checkRecords } from '../../../src/usecases/act/act.ts';
import { asking } from '../../support/asking.ts';
import { runCommand } from '../../support/processes/command.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { containing } from '../../support/matchers.ts';

const files = {
  'sites/mail.yaml': 'apiVersion: hostwright/v1\nkind: Mailspace\nmetadata: { name: shop.example.com }\nspec: {}\n',
};

async function open(options: HarnessOptions = {}): Promise<Harness> {
  return openHarness({ scenario: 'mail', files, ...options });
}

const yes = () => Promise.resolve(true);
const writes = ({ sandbox }: Harness) =>
  sandbox.requests
    .filter(({ method }) => method !== 'GET')
    .map(({ path, body }) => [path.split('/').slice(-2).join('/'), body]);
const checks = async (one: Harness) =>
  (await listRecords(one.session(), { paths: [], resolve: false, resolvers: [] })).checks ?? [];
const sent = [['domains/dns_check', { domain: 'shop.example.com' }]];

describe('dns --check', () => {
  it.each(['report', 'wrapped', 'empty'])(
    'MDM-20, GAP-40 = %s: is asked once, and told to be too soon',
    async (reading) => {
      const one = await open({ ambiguities: { 'GAP-40': reading } });
      const due = await checks(one);
      expect(due).toMatchObject([{ domain: 'shop.example.com' }]);
      const { asked, confirm } = asking(false);
      const refused = await checkRecords(one.session(), due, confirm);
      expect([refused.outcome, writes(one), asked]).toEqual([
        'refused',
        [],
        ['Have the platform check the DNS of shop.example.com? It is possible once in five minutes a domain.'],
      ]);
      expect(await checkRecords(one.session(), due, yes)).toEqual({
        outcome: 'done',
        diagnostics: [],
      });
      expect(writes(one)).toEqual(sent);
      const soon = await checkRecords(one.session(), await checks(one), yes);
      expect(soon).toMatchObject({
        outcome: 'done',
        diagnostics: [{ code: 'HW4586', detail: containing('is possible from') }],
      });
      expect(writes(one)).toEqual(sent);
    },
  );

  it.each(['429', '422', 'previous'])('LIM-07, GAP-40.limit = %s: a check in the dashboard counts', async (reading) => {
    const one = await open({ ambiguities: { 'GAP-40.limit': reading } });
    const due = await checks(one);
    await checkRecords(one.session(), due, yes);
    // As if the report had not shown the first one.
    const second = await checkRecords(one.session(), due, yes);
    expect(second.outcome).toBe('done');
    expect(second.diagnostics.map(({ code }) => code)).toEqual(reading === 'previous' ? [] : ['HW4586']);
  });

  it.each([
    ['reset-after', []],
    ['reset-before', ['HW4502']],
  ] as const)(
    'is sent once if its response is lost, and the report decides: %s [MDM-20, LIM-07]',
    async (kind, codes) => {
      const one = await open({ faults: [{ kind, match: { method: 'POST', path: '*/dns_check' }, times: 1 }] });
      const ended = await checkRecords(one.session(), await checks(one), yes);
      expect(ended.diagnostics.map(({ code }) => code)).toEqual(codes);
      expect(writes(one)).toEqual(sent);
    },
  );

  it('on the command line: needs --yes without a terminal', async () => {
    const one = await openHarness({ scenario: 'mail', files });
    const run = (...args: readonly string[]) =>
      runCommand(['dns', '--no-lookup', ...args], { cwd: one.root, url: one.sandbox.url });
    expect((await run('--check')).stderr).toContain('HW6514');
    expect((await run('--yes')).stderr).toContain('--yes goes with --check');
    expect(writes(one)).toEqual([]);
    const done = await run('--check', '--yes', '-o', 'json');
    expect(JSON.parse(done.stdout)).toMatchObject({ format: 'hostwright.dns/1', diagnostics: [] });
    expect(writes(one)).toEqual(sent);
  });
});
