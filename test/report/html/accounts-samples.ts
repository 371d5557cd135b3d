// Reports on many accounts: as an agency would have them, and with names that try to break out.
import type { AccountReport, FleetReport } from '../../../src/model/plan/fleet-report.ts';
import { reportOf } from '../../../src/usecases/fleet/report.ts';

export const accountsAtMs = Date.parse('2026-11-22T10:00:00.000Z');
const ago = (minutes: number): string => new Date(accountsAtMs - minutes * 60_000).toISOString();

const job = {
  via: 'github',
  server: 'https://github.com',
  repository: 'acme/hosting',
  job: '4711',
  url: 'https://github.com/acme/hosting/actions/runs/4711',
  actor: 'alice',
  commit: '1a2b3c4d5e6f7a8b9c0d',
  pulls: [12],
} as const;

/** Every state, each wait and each end, over `count` accounts of which most are in order. */
export function manyAccounts(count: number): FleetReport {
  const accounts = Array.from({ length: count }, (_, index): AccountReport => {
    const account = `acc-${String(index + 1).padStart(5, '0')}`;
    const runs = Array.from({ length: 5 }, (_unused, run) => ({
      run: `6f1c0c1e-3c8a-4f0e-8f1e-${String(index * 10 + run).padStart(12, '0')}`,
      startedAt: ago(1440 * (run + 1) + index),
      endedAt: ago(1440 * (run + 1) + index - 1),
      by: job,
      actions: [
        { address: `Site/shop-${index}/Caching`, verb: 'update', result: 'done' },
        { address: `Site/shop-${index}/EdgeRule/Old%20shop`, verb: 'create', result: 'done' },
      ] as const,
      more: run,
    }));
    const base = { account, workspace: `accounts/${account}`, problems: [], waits: [], ends: [], runs };
    const looked = { lookedAt: ago(index % 360) };
    switch (index % 50) {
      case 3:
        return {
          ...base,
          ...looked,
          state: 'failed',
          outcome: 'error',
          problems: [
            { code: 'HW3001', says: 'The account could not be read: the platform refused the token. Replace it.' },
          ],
        };
      case 7:
        return {
          ...base,
          ...looked,
          state: 'drifted',
          outcome: 'differences',
          differs: [
            { address: `Site/shop-${index}/Caching`, class: 'drifted' },
            { address: `Site/shop-${index}/EdgeRule/made%20elsewhere`, class: 'both' },
            { address: `Mailspace/bakery-${index}.example/Mailbox/orders`, class: 'pending' },
          ],
        };
      case 11:
        return {
          ...base,
          ...looked,
          state: 'waiting',
          outcome: 'waiting',
          differs: [],
          waits: [
            {
              address: `Mailspace/bakery-${index}.example`,
              for: 'record',
              reason:
                'nobody has proven yet that the domain is yours, and until then nothing in the mailspace can be set up',
              remedy: `Publish the TXT record _hosting.bakery-${index}.example with the value "proof-${index}", then run again.`,
              since: ago(2000 + index),
            },
          ],
        };
      case 19:
        return {
          ...base,
          ...looked,
          state: 'waiting',
          outcome: 'waiting',
          waits: [
            {
              address: `Site/shop-${index}`,
              for: 'payment',
              reason: `The payment of order ${index} waits for a person: open https://pay.example.com/orders/${index}`,
              remedy: '',
              since: ago(3000 + index),
            },
            {
              address: `PanelAccount/old-${index}`,
              for: 'outside',
              reason: 'the account is being set up',
              remedy: 'Run again in some minutes.',
            },
          ],
        };
      case 23:
        return {
          ...base,
          ...looked,
          state: 'in-order',
          outcome: 'done',
          differs: [],
          ends: [
            {
              what: 'registration',
              address: `DomainRegistration/bakery-${index}.example`,
              on: '2026-12-02',
              says: 'The registration ends on 2026-12-02, and renewal is off. Somebody else can register the name then.',
            },
          ],
        };
      case 29:
        return { ...base, state: 'never-run', runs: [] };
      case 31: {
        const { runs: _runs, ...rest } = base;
        return {
          ...rest,
          ...looked,
          state: 'locked',
          outcome: 'error',
          lock: 'The lock is held by alice on build-1, process 4711, run 6f1c, since 2026-11-22T08:00:00.000Z. That process runs.',
        };
      }
      default:
        return { ...base, ...looked, state: 'in-order', outcome: 'done', differs: [] };
    }
  });
  return reportOf(accounts, accountsAtMs, 'error');
}

/** All of it says `evil`. */
export function hostileAccounts(evils: readonly string[]): FleetReport {
  const accounts = evils.map((evil): AccountReport => ({
    account: evil,
    workspace: `accounts/${evil}`,
    state: 'failed',
    lookedAt: evil,
    outcome: evil,
    problems: [{ code: evil, says: evil }],
    waits: [{ address: evil, for: 'payment', reason: evil, remedy: evil, since: evil }],
    differs: [{ address: `Site/${evil}/${evil}/${evil}`, class: 'both' }],
    ends: [{ what: 'registration', address: evil, on: evil, says: evil }],
    runs: [
      {
        run: evil,
        startedAt: evil,
        by: {
          ...job,
          server: 'javascript:window.broken=1//',
          url: `https://${evil}`,
          repository: evil,
          actor: evil,
          commit: evil,
        },
        actions: [{ address: evil, verb: 'update', result: 'failed' }],
        more: 0,
      },
    ],
    lock: evil,
  }));
  return reportOf(accounts, accountsAtMs, 'error');
}
