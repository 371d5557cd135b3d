// Every action and every look at one thing, as JSON: whatever comes of it is as `schemas/act.schema.json` says.
import { expect, it } from 'vitest';
import type { ActValue } from '../../../src/model/plan/act.ts';
import { renderActJson } from '../../../src/report/json/index.ts';
import { deleteContacts } from '../../../src/usecases/contact/delete.ts';
import { verifyContact } from '../../../src/usecases/contact/verify.ts';
import { cancelOrder } from '../../../src/usecases/order/cancel.ts';
import { checkNames } from '../../../src/usecases/registration/check.ts';
import { refreshRegistration } from '../../../src/usecases/registration/refresh.ts';
import { eppCode, pushTransfer, transferOut } from '../../../src/usecases/registration/transfer.ts';
import type { Session } from '../../../src/usecases/session.ts';
import type { Confirm } from '../../../src/usecases/act/run-act.ts';
import { backupSite } from '../../../src/usecases/site/backup.ts';
import { logSummary } from '../../../src/usecases/site/logs.ts';
import { checkMail, unblockMail } from '../../../src/usecases/site/mail.ts';
import { METRICS, siteMetrics } from '../../../src/usecases/site/metrics.ts';
import type { SiteResult } from '../../../src/usecases/site/open-site.ts';
import { purgeSite } from '../../../src/usecases/site/purge.ts';
import { restartSite } from '../../../src/usecases/site/restart.ts';
import { deleteArchive, restoreSite } from '../../../src/usecases/site/restore.ts';
import { shieldLearn } from '../../../src/usecases/site/shield-learn.ts';
import { siteLogin, siteUsers } from '../../../src/usecases/site/sso.ts';
import { findActProblem } from '../../support/written-schemas.ts';
import { openHarness } from '../../support/open-harness.ts';

type Run = (session: Session, confirm: Confirm) => Promise<SiteResult<unknown>>;

const SHOP = 'id:site-shop';
const nightly = { volume: 'content', archive: 'nightly' };
const period = { sinceMs: 3_600_000, untilMs: 0 };

const ON_SITES: readonly (readonly [ActValue | undefined, Run])[] = [
  [undefined, (session, confirm) => restartSite(session, SHOP, confirm)],
  [undefined, (session, confirm) => purgeSite(session, SHOP, undefined, confirm)],
  ['backup', (session, confirm) => backupSite(session, SHOP, {}, confirm)],
  ['restore', (session, confirm) => restoreSite(session, SHOP, nightly, confirm)],
  ['deleted', (session, confirm) => deleteArchive(session, SHOP, nightly, confirm)],
  ['login', (session, confirm) => siteLogin(session, SHOP, { database: true }, confirm)],
  ['users', (session) => siteUsers(session, SHOP)],
  ['mail', (session, confirm) => unblockMail(session, SHOP, confirm)],
  ['mail', (session, confirm) => checkMail(session, SHOP, confirm)],
  ['summary', (session) => logSummary(session, SHOP, { ...period, filters: {} })],
  ['order', (session, confirm) => cancelOrder(session, 'order-1', confirm)],
  ...METRICS.map(
    (metric) =>
      [metric, (session) => siteMetrics(session, SHOP, { metric, ...period })] as const satisfies readonly [
        ActValue,
        Run,
      ],
  ),
];

const ON_NAMES: readonly (readonly [ActValue | undefined, Run])[] = [
  ['names', (session) => checkNames(session, ['free.com', 'plain.com', 'x.unknown'], { suggest: true })],
  ['transfer', (session, confirm) => transferOut(session, 'leaving.com', 'reject', confirm)],
  ['epp', (session, confirm) => eppCode(session, 'plain.com', confirm)],
  ['refresh', (session, confirm) => refreshRegistration(session, 'stale.com', confirm)],
  ['push', (session, confirm) => pushTransfer(session, 'plain.com', { to: 'ABC1' }, confirm)],
  ['deletion', (session, confirm) => deleteContacts(session, { unused: true }, confirm)],
  [undefined, (session, confirm) => verifyContact(session, '801', {}, confirm)],
];

/** Runs each with a no and with a yes; which of them had a value. */
async function documents(session: () => Session, runs: typeof ON_SITES): Promise<readonly ActValue[]> {
  const valued: ActValue[] = [];
  for (const [name, run] of runs)
    for (const answer of [false, true]) {
      const text = renderActJson(await run(session(), () => Promise.resolve(answer)), name);
      expect(findActProblem(JSON.parse(text)), text).toBeUndefined();
      if (answer && name !== undefined && Object.hasOwn(JSON.parse(text) as object, name)) valued.push(name);
    }
  return valued;
}

const namesIn = (runs: typeof ON_SITES) => runs.flatMap(([name]) => name ?? []);

it('CNV-35: what is done to sites and orders is as the schema says, refused or done', async () => {
  const { sandbox, session, site } = await openHarness();
  site('shop').mail!.suspension.abuse = true;
  sandbox.state.orders.set('order-1', {
    id: 'order-1',
    accountId: 'acc-acme',
    status: 'awaiting_payment',
    locationShortName: 'ams',
    createdAt: 0,
    updatedAt: 0,
  });
  expect(await documents(session, ON_SITES)).toEqual(namesIn(ON_SITES));
});

it('SHD-26: so is what Shield learns', async () => {
  const { sandbox, session } = await openHarness({ scenario: 'shield' });
  const id = [...sandbox.state.sites.values()].find(
    ({ shield, accountId }) => accountId === 'acc-acme' && shield.zone?.active === true,
  )?.id;
  const on = `id:${id ?? ''}`;
  const runs = [['learning', (one: Session, confirm: Confirm) => shieldLearn(one, on, {}, confirm)]] as const;
  expect(await documents(session, runs)).toEqual(['learning']);
});

it('REG-29, DCT-06: so is what is done to names and contacts', async () => {
  const { session } = await openHarness({ scenario: 'registrar' });
  expect(await documents(session, ON_NAMES)).toEqual(namesIn(ON_NAMES));
});
