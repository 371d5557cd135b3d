// Every command of an area, as JSON: whatever comes of it is as `schemas/act.schema.json` says, refused or done.
import { expect, it } from 'vitest';
import { COMMANDS } from '../../../src/areas/commands.ts';
import type { ActValues } from '../../../src/model/plan/act.ts';
import { renderActJson } from '../../../src/report/json/index.ts';
import type { CommandName } from '../../../src/usecases/act/act.ts';
import { act } from '../../../src/usecases/act/act.ts';
import type { Session } from '../../../src/usecases/session.ts';
import { openHarness } from '../../support/open-harness.ts';
import { findActProblem } from '../../support/written-schemas.ts';

/** A command, what it is given, and under which name it shows something when it is done. */
type Run = readonly [name: CommandName, given: object, shows?: keyof ActValues];

const site = 'id:site-shop';
const nightly = { site, volume: 'content', archive: 'nightly' };
const period = { site, sinceMs: 3_600_000, untilMs: 0 };
const METRICS = ['cdn', 'resources', 'now', 'mail', 'shield', 'shield-overview'] as const;

const ON_SITES: readonly Run[] = [
  ['site restart', { site }],
  ['site purge', { site }],
  ['site backup', { site }, 'backup'],
  ['site restore', nightly, 'restore'],
  ['site backup delete', nightly, 'deleted'],
  ['site sso', { site, database: true }, 'login'],
  ['site sso --list', { site }, 'users'],
  ['site mail unblock', { site }, 'mail'],
  ['site mail check', { site }, 'mail'],
  ['site logs', { ...period, log: 'access', limit: 10, filters: {}, take: () => undefined }, 'read'],
  ['site logs --summary', { ...period, filters: {} }, 'summary'],
  ...METRICS.map((metric): Run => ['site metrics', { ...period, metric }, metric]),
  ['order cancel', { id: 'order-1' }, 'order'],
];

const ON_NAMES: readonly Run[] = [
  ['registration check', { names: ['free.com', 'plain.com', 'x.unknown'], suggest: true }, 'names'],
  ['registration transfer-out', { name: 'leaving.com', decision: 'reject' }, 'transfer'],
  ['registration epp-code', { name: 'plain.com' }, 'epp'],
  ['registration refresh', { name: 'stale.com' }, 'refresh'],
  ['registration push-transfer', { name: 'plain.com', to: 'ABC1' }, 'push'],
  ['contact delete', { unused: true }, 'deletion'],
  ['contact verify', { id: '801' }],
];

const ON_SHIELD: readonly Run[] = [['shield learn', { site: 'id:site-basic' }, 'learning']];

/** Runs each with a no and with a yes; what each showed in the end. */
async function shownBy(session: () => Session, runs: readonly Run[]): Promise<readonly Run[]> {
  const ended: Run[] = [];
  for (const [name, given, shows] of runs) {
    let text = '';
    for (const answer of [false, true]) {
      text = renderActJson(await act(session(), name, given as never, () => Promise.resolve(answer)));
      expect(findActProblem(JSON.parse(text)), text).toBeUndefined();
    }
    const isShown = shows !== undefined && Object.hasOwn(JSON.parse(text) as object, shows);
    ended.push(isShown ? [name, given, shows] : [name, given]);
  }
  return ended;
}

it('CNV-35: what is done to sites and orders is as the schema says, refused or done', async () => {
  const { sandbox, session } = await openHarness();
  const mail = sandbox.state.sites.get('site-shop')?.mail;
  if (mail === undefined || mail === null) throw new Error('no mail account');
  mail.suspension.abuse = true;
  sandbox.state.orders.set('order-1', {
    id: 'order-1',
    accountId: 'acc-acme',
    status: 'awaiting_payment',
    locationShortName: 'ams',
    createdAt: 0,
    updatedAt: 0,
  });
  expect(await shownBy(session, ON_SITES)).toEqual(ON_SITES);
});

it('SHD-26: so is what Shield learns', async () => {
  const { session } = await openHarness({ scenario: 'shield' });
  expect(await shownBy(session, ON_SHIELD)).toEqual(ON_SHIELD);
});

it('REG-29, DCT-06: so is what is done to names and contacts', async () => {
  const { session } = await openHarness({ scenario: 'registrar' });
  expect(await shownBy(session, ON_NAMES)).toEqual(ON_NAMES);
});

it('leaves out no command but those that print something else, or never end', () => {
  const seen = [...ON_SITES, ...ON_NAMES, ...ON_SHIELD].map(([name]) => name);
  expect(Object.keys(COMMANDS).filter((name) => !seen.includes(name as CommandName))).toEqual([
    'site logs --follow',
    'dns --check',
  ]);
});
