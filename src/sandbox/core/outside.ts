// What happens on a platform without a request of its customer: people pay, publish records and click in the dashboard,
// registrars answer, time passes. Each with the control that plays it and the ids that are there now; the one table of
// what `hostwright sandbox` prints and of the page at /.
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
    ...world.state.areas.flatMap((area) => area.outside?.(world) ?? []),
    ...taskEvents(world),
    ...alwaysEvents(world),
  ];
}

/** A line for a shell on this machine. `origin`: such as `http://127.0.0.1:4010`. */
export function curlLine(origin: string, { method, path, body }: OutsideEvent): string {
  const how = method === 'GET' ? '' : ` -X ${method}`;
  const sent = body === undefined ? '' : ` -d '${JSON.stringify(body).replaceAll("'", `'\\''`)}'`;
  return `curl${how} '${origin}${path.replaceAll("'", '%27')}'${sent}`;
}

export function few<T>(rows: Iterable<T>, fits: (row: T) => boolean = () => true): readonly T[] {
  return [...rows].filter(fits).slice(0, MOST_OF_A_KIND);
}

export function controlPath(...parts: readonly (string | number)[]): string {
  return `/_sandbox/${parts.map((part) => encodeURIComponent(part)).join('/')}`;
}

function taskEvents({ state }: World): readonly OutsideEvent[] {
  const group = 'Tasks';
  const open = few(state.tasks.values(), ({ status }) => status === 'PENDING' || status === 'RUNNING');
  return [
    ...open.flatMap(({ id, name }): readonly OutsideEvent[] => [
      {
        group,
        does: `Finish task ${id} (${name})`,
        method: 'PATCH',
        path: controlPath('tasks', id),
        body: { status: 'OK' },
      },
      {
        group,
        does: `Fail task ${id} (${name})`,
        method: 'PATCH',
        path: controlPath('tasks', id),
        body: { status: 'FAILED' },
      },
    ]),
    {
      group,
      does: 'Fail the next task',
      method: 'POST',
      path: controlPath('tasks', 'fates'),
      body: { fates: [{ status: 'FAILED' }] },
    },
  ];
}

function alwaysEvents({ state }: World): readonly OutsideEvent[] {
  const [location] = state.locations;
  const platform = 'The platform';
  return [
    {
      group: 'Time',
      does: 'Let an hour pass',
      method: 'POST',
      path: controlPath('clock'),
      body: { advanceMs: HOUR_MS },
    },
    {
      group: 'Time',
      does: 'Let a day pass',
      method: 'POST',
      path: controlPath('clock'),
      body: { advanceMs: 24 * HOUR_MS },
    },
    ...(location === undefined
      ? []
      : [
          {
            group: platform,
            does: `Have no site left in ${location.shortName} for one order`,
            method: 'PATCH',
            path: controlPath('locations', location.shortName),
            body: { soldOutFor: 1 },
          } as const,
        ]),
    {
      group: platform,
      does: 'Answer the next three changes (PATCH) with 503',
      method: 'POST',
      path: controlPath('faults'),
      body: { faults: [{ kind: 'status-before', status: 503, times: 3, match: { method: 'PATCH' } }] },
    },
    {
      group: platform,
      does: 'Lose the answer to the next order',
      method: 'POST',
      path: controlPath('faults'),
      body: { faults: [{ kind: 'reset-after', times: 1, match: { method: 'POST', path: '/api/orders' } }] },
    },
    { group: platform, does: 'End all accidents', method: 'POST', path: controlPath('faults'), body: { faults: [] } },
    { group: 'To look at', does: 'Everything that is stored', method: 'GET', path: controlPath('state') },
    { group: 'To look at', does: 'The requests that came', method: 'GET', path: controlPath('requests') },
  ];
}
