// What can be done to panel accounts, and to what accounts are (resellers, terms), from outside /api.
import type { Context, Hono } from 'hono';
import type { Desk, Env } from '../core/http/app.ts';
import { announcePanel } from './events.ts';
import { bodyOf, textOf } from '../core/control-body.ts';
import { isRecord } from '../core/http/endpoint.ts';
import { PANEL_TROUBLES, addPanelAccount, panelMirror } from './state.ts';
import type { PanelAccount, PanelMirror, PanelTrouble } from './state.ts';
import { controlPath, few } from '../core/outside.ts';
import type { OutsideEvent } from '../core/outside.ts';
import { plain } from '../core/snapshot.ts';
import type { Account } from '../core/state.ts';
import type { World } from '../core/world.ts';

type Body = Record<string, unknown>;

const ONE = '/_sandbox/panel/:username';

export function addPanelControls(control: Hono<Env>, { world }: Desk): void {
  const { panel, accounts } = world.state;
  control.get('/_sandbox/panel', (context) => context.json(plain(panel)));
  control.patch('/_sandbox/panel', async (context) => {
    const { configured, enabledFor, troubles, unavailable, unpriced } = await bodyOf(context);
    if (configured !== undefined) panel.configured = configured === true;
    if (enabledFor !== undefined) panel.enabledFor = texts(enabledFor);
    if (unavailable !== undefined) panel.unavailable = texts(unavailable);
    if (unpriced !== undefined) panel.unpriced = texts(unpriced);
    if (troubles !== undefined) panel.troubles = texts(troubles).map(readTrouble);
    return context.json({});
  });
  control.post('/_sandbox/panel', async (context) => {
    const body = await bodyOf(context);
    addPanelAccount(panel, { ...body, username: textOf(body, 'username'), accountId: textOf(body, 'accountId') });
    return context.json({});
  });
  control.patch(ONE, (context) =>
    change(world, context, (account, { mirror, ...body }) => {
      Object.assign(account, body);
      if (mirror !== undefined)
        account.mirror = isRecord(mirror)
          ? panelMirror({ ...account.mirror, ...(mirror as Partial<PanelMirror>) })
          : null;
    }),
  );
  control.delete(ONE, (context) => change(world, context, ({ username }) => panel.accounts.delete(username)));
  control.post(`${ONE}/owner`, (context) =>
    change(world, context, (account, body) => {
      account.accountId = textOf(body, 'accountId');
      announcePanel(world, account, 'owner_change');
    }),
  );
  control.put('/_sandbox/accounts/:account', async (context) => {
    const id = context.req.param('account');
    const body = (await bodyOf(context)) as Partial<Account>;
    accounts.set(id, { name: id, ...accounts.get(id), ...body, id });
    return context.json({});
  });
}

function texts(value: unknown): string[] {
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    throw new Error('a list of texts is wanted');
  return value;
}

function readTrouble(part: string): PanelTrouble {
  const found = PANEL_TROUBLES.find((one) => one === part);
  if (found === undefined) throw new Error(`no trouble '${part}'; there are: ${PANEL_TROUBLES.join(', ')}`);
  return found;
}

async function change(
  world: World,
  context: Context<Env>,
  apply: (account: PanelAccount, body: Body) => void,
): Promise<Response> {
  world.clock.runDue();
  const account = world.state.panel.accounts.get(context.req.param('username') ?? '');
  if (account === undefined) return context.json({ error: 'no such panel account' }, 404);
  apply(account, await bodyOf(context));
  return context.json({});
}

export function panelEvents({ state }: World): readonly OutsideEvent[] {
  return few(state.panel.accounts.keys())
    .slice(0, 1)
    .map((username) => ({
      group: 'Panel accounts',
      does: `Remove the panel account ${username} elsewhere`,
      method: 'DELETE',
      path: controlPath('panel', username),
    }));
}
