// What happens on a platform without a request of its customer: people pay, publish records and click in the dashboard,
// registrars answer, time passes. Each with the control that plays it and the ids that are there now; the one table of
// what `hostwright sandbox` prints and of the page at /.
import type { Fault } from './http/faults.ts';
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

type Happening = readonly [
  does: string,
  how: OutsideEvent['method'],
  path: string,
  body?: Readonly<Record<string, unknown>>,
];

export function events(group: string, rows: readonly Happening[]): readonly OutsideEvent[] {
  return rows.map(([does, method, path, body]) => ({
    group,
    does,
    method,
    path,
    ...(body === undefined ? {} : { body }),
  }));
}

export function few<T>(rows: Iterable<T>, fits: (row: T) => boolean = () => true): readonly T[] {
  return [...rows].filter(fits).slice(0, MOST_OF_A_KIND);
}

export function controlPath(...parts: readonly (string | number)[]): string {
  return `/_sandbox/${parts.map((part) => encodeURIComponent(part)).join('/')}`;
}

function taskEvents({ state }: World): readonly OutsideEvent[] {
  const open = few(state.tasks.values(), ({ status }) => status === 'PENDING' || status === 'RUNNING');
  return events('Tasks', [
    ...open.flatMap(({ id, name }): Happening[] => [
      [`Finish task ${id} (${name})`, 'PATCH', controlPath('tasks', id), { status: 'OK' }],
      [`Fail task ${id} (${name})`, 'PATCH', controlPath('tasks', id), { status: 'FAILED' }],
    ]),
    ['Fail the next task', 'POST', controlPath('tasks', 'fates'), { fates: [{ status: 'FAILED' }] }],
  ]);
}

function alwaysEvents({ state }: World): readonly OutsideEvent[] {
  const faults = (...given: readonly Fault[]) => ['POST', controlPath('faults'), { faults: given }] as const;
  return [
    ...events('Time', [
      ['Let an hour pass', 'POST', controlPath('clock'), { advanceMs: HOUR_MS }],
      ['Let a day pass', 'POST', controlPath('clock'), { advanceMs: 24 * HOUR_MS }],
    ]),
    ...events('The platform', [
      ...state.locations
        .slice(0, 1)
        .map(({ shortName }): Happening => [
          `Have no site left in ${shortName} for one order`,
          'PATCH',
          controlPath('locations', shortName),
          { soldOutFor: 1 },
        ]),
      [
        'Answer the next three changes (PATCH) with 503',
        ...faults({ kind: 'status-before', status: 503, times: 3, match: { method: 'PATCH' } }),
      ],
      [
        'Lose the answer to the next order',
        ...faults({ kind: 'reset-after', times: 1, match: { method: 'POST', path: '/api/orders' } }),
      ],
      ['End all accidents', ...faults()],
    ]),
    ...events('To look at', [
      ['Everything that is stored', 'GET', controlPath('state')],
      ['The requests that came', 'GET', controlPath('requests')],
    ]),
  ];
}
