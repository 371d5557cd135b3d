// Panel accounts: shared hosting on servers that a manager of their own looks after.
import type { Area } from '../core/area.ts';
import type { Readings } from '../core/ambiguities.ts';
import { PANEL_AMBIGUITIES } from './ambiguities.ts';
import { panelControls, panelEvents } from './control.ts';
import { loadPanelAccounts } from './load.ts';
import { panelEndpoints } from './routes/accounts.ts';
import { hostile, panel as scenario, panelAccounts } from './scenario.ts';
import { panelSnapshot } from './snapshot.ts';
import { emptyPanel } from './state.ts';
import type { PanelDuty, PanelPlatform } from './state.ts';

declare module '../core/state.ts' {
  interface State {
    readonly panel: PanelPlatform;
  }
  interface User {
    /** What it may do with the panel accounts of a workspace, where that is not as its role says. */
    readonly duties?: Map<string, PanelDuty[]>;
  }
}
declare module '../core/ambiguities.ts' {
  interface Ambiguities extends Readings<typeof PANEL_AMBIGUITIES> {}
}
declare module '../billing/state.ts' {
  interface Purchase {
    /** Once it made a panel account; no documented view shows it. */
    panelUsername?: string;
  }
}

export const panel: Area = {
  endpoints: panelEndpoints,
  ambiguities: PANEL_AMBIGUITIES,
  state: () => ({ panel: emptyPanel() }),
  scenarios: { panel: { from: 'small' }, 'panel:N': {} },
  parts: { panel: scenario, 'panel:N': panelAccounts, hostile },
  controls: panelControls,
  outside: panelEvents,
  load: loadPanelAccounts,
  snapshot: panelSnapshot,
  // GAP-46: whether an order names the panel account that it made is not documented.
  orderBlock: ({ ambiguities }, { purchase }) =>
    purchase?.panelUsername !== undefined && ambiguities['GAP-46'] === 'in-order'
      ? { panel_account: { username: purchase.panelUsername } }
      : {},
};
