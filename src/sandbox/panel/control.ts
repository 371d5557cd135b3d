// What can be done to panel accounts, and to what accounts are (resellers, terms), from outside /api.
import { announcePanel } from './events.ts';
import { changing, oneOf, textOf, there } from '../core/controls.ts';
import type { Controls } from '../core/controls.ts';
import { isRecord } from '../core/http/endpoint.ts';
import { PANEL_TROUBLES, addPanelAccount, panelMirror } from './state.ts';
import type { PanelMirror } from './state.ts';
import { controlPath, events } from '../core/outside.ts';
import type { OutsideEvent } from '../core/outside.ts';
import { plain } from '../core/snapshot.ts';
import type { World } from '../core/world.ts';

export function panelControls(world: World): Controls {
  const { panel, accounts } = world.state;
  const onAccount = changing(({ username = '' }) => {
    world.clock.runDue();
    return there(panel.accounts.get(username), 'panel account');
  });
  return {
    'GET /panel': () => plain(panel),
    'PATCH /panel': ({ configured, enabledFor, troubles, unavailable, unpriced }) => {
      if (configured !== undefined) panel.configured = configured === true;
      if (enabledFor !== undefined) panel.enabledFor = texts(enabledFor);
      if (unavailable !== undefined) panel.unavailable = texts(unavailable);
      if (unpriced !== undefined) panel.unpriced = texts(unpriced);
      if (troubles !== undefined) panel.troubles = texts(troubles).map((one) => oneOf(PANEL_TROUBLES, one, 'trouble'));
    },
    'POST /panel': (body) => {
      addPanelAccount(panel, { ...body, username: textOf(body, 'username'), accountId: textOf(body, 'accountId') });
    },
    'PATCH /panel/:username': onAccount((account, { mirror, ...body }) => {
      Object.assign(account, body);
      if (mirror !== undefined)
        account.mirror = isRecord(mirror)
          ? panelMirror({ ...account.mirror, ...(mirror as Partial<PanelMirror>) })
          : null;
    }),
    'DELETE /panel/:username': onAccount(({ username }) => panel.accounts.delete(username)),
    'POST /panel/:username/owner': onAccount((account, body) => {
      account.accountId = textOf(body, 'accountId');
      announcePanel(world, account, 'owner_change');
    }),
    'PUT /accounts/:account': (body, { account: id = '' }) =>
      void accounts.set(id, { name: id, ...accounts.get(id), ...body, id }),
  };
}

function texts(value: unknown): string[] {
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    throw new Error('a list of texts is wanted');
  return value;
}

export function panelEvents({ state }: World): readonly OutsideEvent[] {
  const [username] = state.panel.accounts.keys();
  return username === undefined
    ? []
    : events('Panel accounts', [
        [`Remove the panel account ${username} elsewhere`, 'DELETE', controlPath('panel', username)],
      ]);
}
