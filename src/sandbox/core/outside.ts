// What happens on a platform without a request of its customer: people pay, publish records and click in the dashboard,
// registrars answer, time passes. Each with the control that plays it and the ids that are there now; the one table of
// what `hostwright sandbox` prints and of the page at /.
import { billingOf } from '../billing/state.ts';
import type { World } from './world.ts';

export interface OutsideEvent {
  readonly group: string;
  /** What happens, as an order: `Pay the order of site launch`. */
  readonly does: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Of many objects of a kind the first ones stand for the others. */
const MOST_OF_A_KIND = 2;
const HOUR_MS = 3_600_000;

/** What can happen now; what waits for somebody comes first. */
export function outsideEvents(world: World): readonly OutsideEvent[] {
  return [
    ...payments(world),
    ...mailEvents(world),
    ...registrarEvents(world),
    ...taskEvents(world),
    ...siteEvents(world),
    ...panelEvents(world),
    ...alwaysEvents(world),
  ];
}

/** A line for a shell on this machine. `origin`: such as `http://127.0.0.1:4010`. */
export function curlLine(origin: string, { method, path, body }: OutsideEvent): string {
  const how = method === 'GET' ? '' : ` -X ${method}`;
  const sent = body === undefined ? '' : ` -d '${JSON.stringify(body).replaceAll("'", `'\\''`)}'`;
  return `curl${how} '${origin}${path.replaceAll("'", '%27')}'${sent}`;
}

function few<T>(rows: Iterable<T>, fits: (row: T) => boolean = () => true): readonly T[] {
  return [...rows].filter(fits).slice(0, MOST_OF_A_KIND);
}

function at(...parts: readonly (string | number)[]): string {
  return `/_sandbox/${parts.map((part) => encodeURIComponent(part)).join('/')}`;
}

function payments({ state, parkedCarts }: World): readonly OutsideEvent[] {
  const group = 'Payments';
  const parked = few(parkedCarts.keys()).flatMap((token): readonly OutsideEvent[] => {
    const path = at('carts', token, 'payment');
    return [
      { group, does: `Pay cart ${token}`, method: 'POST', path, body: { outcome: 'complete' } },
      { group, does: `Let cart ${token} expire unpaid`, method: 'POST', path, body: { outcome: 'decline' } },
    ];
  });
  const [account] = state.accounts.values();
  if (account === undefined) return parked;
  const outcomes = [
    ['Decline the next payments', 'declined'],
    ['Have the next payments wait for a person (3-D Secure)', 'authentication'],
    ['Let the next payments succeed', 'succeeded'],
  ] as const;
  const others = outcomes
    .filter(([, outcome]) => outcome !== billingOf(account).outcome)
    .map(([does, outcome]): OutsideEvent => ({
      group,
      does,
      method: 'PATCH',
      path: at('accounts', account.id),
      body: { outcome },
    }));
  return [...parked, ...others];
}

function mailEvents({ state }: World): readonly OutsideEvent[] {
  const group = 'Mail';
  const spaces = [...state.mail.spaces.values()];
  const unproven = few(spaces, ({ verified }) => !verified).map(({ domain, token }): OutsideEvent => ({
    group,
    does: `Publish the TXT record that proves ${domain}; it is seen within a minute`,
    method: 'POST',
    path: at('dns'),
    body: { type: 'TXT', name: `_mailspace-verify.${domain}`, value: token },
  }));
  const pending = few(
    spaces.flatMap((space) => space.pendingDomains.map(({ name }) => ({ space: space.domain, name }))),
  ).map(({ space, name }): OutsideEvent => ({
    group,
    does: `Verify the mail domain ${name}`,
    method: 'POST',
    path: at('mailspaces', space, 'domains', 'verify'),
    body: { name },
  }));
  const mailboxes = few(spaces.flatMap(({ domain, mailboxes: all }) => all.map(({ email }) => ({ domain, email }))))
    .slice(0, 1)
    .flatMap(({ domain, email }): readonly OutsideEvent[] => {
      const path = at('mailspaces', domain, 'mailboxes');
      return [
        {
          group,
          does: `Change the quota of ${email} elsewhere`,
          method: 'PATCH',
          path,
          body: { email, quotaMb: 4711 },
        },
        { group, does: `Delete ${email} elsewhere`, method: 'DELETE', path, body: { email } },
      ];
    });
  return [...unproven, ...pending, ...mailboxes];
}

function registrarEvents({ state }: World): readonly OutsideEvent[] {
  const group = 'Registrations';
  const names = [...state.registrar.registrations.values()];
  const running = few(names, ({ process }) => process !== null).flatMap(({ name }): readonly OutsideEvent[] => {
    const path = at('registrations', name, 'process');
    return [
      {
        group,
        does: `The registrar completes what is under way for ${name}`,
        method: 'POST',
        path,
        body: { outcome: 'completed' },
      },
      {
        group,
        does: `The registrar refuses what is under way for ${name}`,
        method: 'POST',
        path,
        body: { outcome: 'failed' },
      },
    ];
  });
  const idle = few(names, ({ process }) => process === null)
    .slice(0, 1)
    .flatMap(({ name }): readonly OutsideEvent[] => [
      {
        group,
        does: `Switch automatic renewal of ${name} off elsewhere`,
        method: 'PATCH',
        path: at('registrations', name),
        body: { autoRenew: false },
      },
      {
        group,
        does: `Transfer ${name} to another registrar`,
        method: 'POST',
        path: at('registrations', name, 'leave'),
      },
    ]);
  return [...running, ...idle];
}

function taskEvents({ state }: World): readonly OutsideEvent[] {
  const group = 'Tasks';
  const open = few(state.tasks.values(), ({ status }) => status === 'PENDING' || status === 'RUNNING');
  return [
    ...open.flatMap(({ id, name }): readonly OutsideEvent[] => [
      { group, does: `Finish task ${id} (${name})`, method: 'PATCH', path: at('tasks', id), body: { status: 'OK' } },
      { group, does: `Fail task ${id} (${name})`, method: 'PATCH', path: at('tasks', id), body: { status: 'FAILED' } },
    ]),
    {
      group,
      does: 'Fail the next task',
      method: 'POST',
      path: at('tasks', 'fates'),
      body: { fates: [{ status: 'FAILED' }] },
    },
  ];
}

/** What somebody at the dashboard changes behind the back of the manifests. */
function siteEvents({ state }: World): readonly OutsideEvent[] {
  const group = 'Sites, changed elsewhere';
  return few(state.sites.values())
    .slice(0, 1)
    .flatMap(({ id, name, edgeRules, domains }): readonly OutsideEvent[] => {
      const change = { group, method: 'PATCH' } as const;
      const last = domains.at(-1)?.hostname;
      const [rule] = edgeRules;
      return [
        {
          ...change,
          does: `Change how long ${name} is cached`,
          path: at('sites', id, 'caching'),
          body: { cache_expiration: 4711 },
        },
        { ...change, does: `Change the PHP version of ${name}`, path: at('sites', id), body: { php: '8.1' } },
        {
          group,
          does: `Attach a hostname to ${name}`,
          method: 'POST',
          path: at('sites', id, 'domains'),
          body: { hostname: 'elsewhere.example.com' },
        },
        ...(last === undefined
          ? []
          : [
              {
                group,
                does: `Detach ${last} from ${name}`,
                method: 'DELETE',
                path: at('sites', id, 'domains'),
                body: { hostname: last },
              } as const,
            ]),
        ...(rule === undefined
          ? []
          : [
              {
                group,
                does: `Delete the edge rule "${rule.Description}" of ${name}`,
                method: 'DELETE',
                path: at('sites', id, 'edge_rules', rule.Guid),
              } as const,
            ]),
      ];
    });
}

function panelEvents({ state }: World): readonly OutsideEvent[] {
  return few(state.panel.accounts.keys())
    .slice(0, 1)
    .map((username) => ({
      group: 'Panel accounts',
      does: `Remove the panel account ${username} elsewhere`,
      method: 'DELETE',
      path: at('panel', username),
    }));
}

function alwaysEvents({ state }: World): readonly OutsideEvent[] {
  const [location] = state.locations;
  const platform = 'The platform';
  return [
    { group: 'Time', does: 'Let an hour pass', method: 'POST', path: at('clock'), body: { advanceMs: HOUR_MS } },
    { group: 'Time', does: 'Let a day pass', method: 'POST', path: at('clock'), body: { advanceMs: 24 * HOUR_MS } },
    ...(location === undefined
      ? []
      : [
          {
            group: platform,
            does: `Have no site left in ${location.shortName} for one order`,
            method: 'PATCH',
            path: at('locations', location.shortName),
            body: { soldOutFor: 1 },
          } as const,
        ]),
    {
      group: platform,
      does: 'Answer the next three changes (PATCH) with 503',
      method: 'POST',
      path: at('faults'),
      body: { faults: [{ kind: 'status-before', status: 503, times: 3, match: { method: 'PATCH' } }] },
    },
    {
      group: platform,
      does: 'Lose the answer to the next order',
      method: 'POST',
      path: at('faults'),
      body: { faults: [{ kind: 'reset-after', times: 1, match: { method: 'POST', path: '/api/orders' } }] },
    },
    { group: platform, does: 'End all accidents', method: 'POST', path: at('faults'), body: { faults: [] } },
    { group: 'To look at', does: 'Everything that is stored', method: 'GET', path: at('state') },
    { group: 'To look at', does: 'The requests that came', method: 'GET', path: at('requests') },
  ];
}
