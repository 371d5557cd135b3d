// What Terraform does with a provider, without Terraform: the same calls in the same order, with the checks that it makes
// of the answers. For what would take too long with the real one.
import { createProvider } from '../../src/terraform/provider.ts';
import { tables as unpackTables } from '../../src/terraform/tables.ts';
import type { Fields, ResourceTable } from '../../src/terraform/value/attribute.ts';
import { isObject } from '../../src/terraform/value/convert.ts';
import type { Value, ValueObject } from '../../src/terraform/value/cty.ts';
import { decodeValue, encodeObject, UNKNOWN } from '../../src/terraform/value/cty.ts';
import type { CallName } from '../../src/terraform/wire/messages.ts';
import { CALLS } from '../../src/terraform/wire/messages.ts';
import type { Message } from '../../src/terraform/wire/protobuf.ts';
import { decode, encode } from '../../src/terraform/wire/protobuf.ts';
import type { Session } from '../../src/usecases/session.ts';
import { closing } from './closing.ts';
import type { Harness, HarnessOptions } from './harness.ts';
import { startHarness } from './harness.ts';

export const tables = unpackTables();

/** Who starts the provider. */
export interface Client {
  readonly version: string;
  /** It says in an apply, or in a plan too, that changes may be put off. */
  readonly deferralAllowed?: 'in-apply' | 'always';
  /** An apply hands over what its plan has kept. */
  readonly storePlannedPrivate?: true;
  /** It checks the provider block in another process. */
  readonly isStacks?: true;
}

/** What a provider was told about itself. */
export interface CoreOptions extends HarnessOptions {
  /** The provider block. */
  readonly provider?: Readonly<Record<string, unknown>>;
  /** Begin a ledger in `.hostwright/ledger.jsonl`, as complete. */
  readonly ledger?: true;
  /** What each process is given, in place of what it would be. */
  readonly session?: Partial<Session> | (() => Partial<Session>);
  /** Absent: Terraform 1.12. */
  readonly client?: Client;
}

/** A stored resource, as a state has it. */
export interface Stored {
  readonly state: ValueObject;
  readonly private: Uint8Array;
  readonly isTainted?: true;
}

export interface CorePlan {
  readonly planned: Value;
  readonly private: Uint8Array;
  readonly prior: Stored | undefined;
  readonly config: ValueObject | null;
  readonly requiresReplace: readonly string[];
  /** `HW7005 summary: detail`, errors with `!` before them. */
  readonly said: readonly string[];
  readonly failed: boolean;
  /** Something would be done. */
  readonly changes: boolean;
}

export interface Core {
  readonly harness: Harness;
  /** The stored resource by its name in this configuration; undefined: none. */
  readonly stored: Map<string, Stored>;
  readonly validate: (type: string, config: Readonly<Record<string, unknown>>) => Promise<readonly string[]>;
  /** Refreshes and plans, or only plans. `config` null: destroy. */
  readonly plan: (
    type: string,
    name: string,
    config: Readonly<Record<string, unknown>> | null,
    options?: { readonly refresh: false },
  ) => Promise<CorePlan>;
  /** Refreshes and plans several resources in one process, in this order, as one walk of Terraform does. */
  readonly planTogether: (
    changes: readonly (readonly [type: string, name: string, config: Readonly<Record<string, unknown>> | null])[],
  ) => Promise<readonly CorePlan[]>;
  /** Applies a plan in a new process. */
  readonly apply: (
    type: string,
    name: string,
    plan: CorePlan,
  ) => Promise<{ readonly said: readonly string[]; readonly failed: boolean }>;
  /** Both. */
  readonly run: (
    type: string,
    name: string,
    config: Readonly<Record<string, unknown>> | null,
  ) => Promise<{ readonly said: readonly string[]; readonly failed: boolean; readonly changes: boolean }>;
  readonly refresh: (type: string, name: string) => Promise<readonly string[]>;
  readonly import: (type: string, name: string, id: string) => Promise<readonly string[]>;
  /** Looks at a data source. */
  readonly data: (
    type: string,
    config: Readonly<Record<string, unknown>>,
  ) => Promise<{ readonly values: Value; readonly said: readonly string[] }>;
  /** Any call, and each message of its answer. */
  readonly ask: (name: CallName, message: Message) => Promise<readonly Message[]>;
  /** A new process of the provider. */
  readonly restart: () => Promise<void>;
  /** The process of the provider is gone: it gives nothing back. */
  readonly crash: () => void;
  readonly close: () => Promise<void>;
}

/** A core that is closed when the test ends that opens it. */
export async function openCore(options: CoreOptions = {}): Promise<Core> {
  return closing(await startCore(options));
}

/** A provider of which every process is made anew, against a sandbox in this one. */
export async function startCore({
  provider = {},
  ledger,
  session: extra,
  client = { version: '1.12.2', deferralAllowed: 'in-apply' },
  ...options
}: CoreOptions = {}): Promise<Core> {
  const harness = await startHarness({ ...(ledger !== undefined && { ledger }), ...options });
  const stored = new Map<string, Stored>();
  let process: ReturnType<typeof createProvider> | undefined;
  const ask: Core['ask'] = async (name, message) => {
    const handle = process?.find(name);
    if (handle === undefined) throw new Error(`no call ${name}`);
    const answered = await handle(encode(CALLS[name].request, message));
    return (Buffer.isBuffer(answered) ? [answered] : answered).map((bytes) => decode(CALLS[name].response, bytes));
  };
  const call = async (name: CallName, message: Message): Promise<Message> => (await ask(name, message))[0] ?? {};
  const shutdown = async (): Promise<void> => {
    await process?.close();
  };
  const restart = async (): Promise<void> => {
    await shutdown();
    process = createProvider({
      engine: 'core',
      session: () =>
        Promise.resolve(
          harness.session({
            ledger: { waitMs: 0, programEnv: {} },
            ...(typeof extra === 'function' ? extra() : extra),
          }),
        ),
      surroundings: { account: 'acc-acme', apiUrl: harness.sandbox.url },
      learn: () => undefined,
      stop: () => undefined,
    });
    const values = { ...(ledger === true && { ledger: { file: '.hostwright/ledger.jsonl' } }), ...provider };
    const config = { msgpack: encodeAny(values) };
    if (client.isStacks !== true) await call('ValidateProviderConfig', { config });
    const { diagnostics } = await call('ConfigureProvider', { terraformVersion: client.version, config });
    if (saidIn(diagnostics).length > 0) throw new Error(saidIn(diagnostics).join('\n'));
  };
  await restart();

  const read = async (
    type: string,
    { state, private: kept }: Stored,
  ): Promise<{ stored?: Stored; said: readonly string[] }> => {
    const table = tableOf(type);
    const answer = await call('ReadResource', { typeName: type, currentState: write(table, state), private: kept });
    const said = saidIn(answer.diagnostics);
    const now = valueOf(answer.newState);
    if (!isObject(now)) return { said };
    return { stored: { state: now, private: bytesOf(answer.private) }, said };
  };
  const refresh = async (type: string, name: string): Promise<readonly string[]> => {
    const before = stored.get(name);
    if (before === undefined) return [];
    const { stored: now, said } = await read(type, before);
    if (now === undefined) stored.delete(name);
    else stored.set(name, { ...now, ...(before.isTainted && { isTainted: true as const }) });
    return said;
  };
  /** `before`: it is planned again in an apply, and this was its plan. */
  const planChange = async (
    type: string,
    prior: Stored | undefined,
    config: ValueObject | null,
    before?: CorePlan,
  ): Promise<CorePlan> => {
    const table = tableOf(type);
    const proposed = config === null ? null : proposedNew(table.fields, prior?.state ?? null, config);
    const answer = await call('PlanResourceChange', {
      typeName: type,
      priorState: write(table, prior?.state ?? null),
      proposedNewState: write(table, proposed),
      config: write(table, config),
      priorPrivate: prior?.private ?? Buffer.alloc(0),
      clientCapabilities: {
        deferralAllowed:
          client.deferralAllowed === 'always' || (client.deferralAllowed === 'in-apply' && before !== undefined),
        storePlannedPrivate: client.storePlannedPrivate === true,
      },
      ...(client.storePlannedPrivate === true && before !== undefined && { plannedPrivate: before.private }),
    });
    const said = saidIn(answer.diagnostics);
    const failed = hasError(answer.diagnostics);
    const planned = valueOf(answer.plannedState);
    if (!failed && config !== null) checkPlanned(table.fields, config, prior?.state ?? null, planned);
    return {
      planned,
      private: bytesOf(answer.plannedPrivate),
      prior,
      config,
      requiresReplace: ((answer.requiresReplace ?? []) as readonly { readonly steps: readonly Message[] }[]).map(
        ({ steps }) => String(steps[0]?.attributeName),
      ),
      said,
      failed,
      changes: !same(planned, prior?.state ?? null),
    };
  };
  const plan: Core['plan'] = async (type, name, config, options) => {
    await restart();
    return planHere(type, name, config, options);
  };
  const planTogether: Core['planTogether'] = async (changes) => {
    await restart();
    const plans: CorePlan[] = [];
    for (const [type, name, config] of changes) plans.push(await planHere(type, name, config));
    return plans;
  };
  const planHere: Core['plan'] = async (type, name, config, options) => {
    const refreshed = options === undefined ? await refresh(type, name) : [];
    const before = stored.get(name);
    const values = config === null ? null : filled(tableOf(type).fields, config);
    // Of what is tainted, only the making is planned, not the end.
    const made = await planChange(type, before?.isTainted === true ? undefined : before, values);
    return { ...made, said: [...refreshed, ...made.said] };
  };
  const apply: Core['apply'] = async (type, name, reviewed) => {
    await restart();
    const table = tableOf(type);
    const { prior, config } = reviewed;
    const again = config === null ? reviewed : await planChange(type, prior, config, reviewed);
    if (again.failed) return { said: again.said, failed: true };
    const repeated = config === null ? [] : again.said;
    checkCompatible(reviewed.planned, again.planned, 'inconsistent final plan');
    const answer = await call('ApplyResourceChange', {
      typeName: type,
      priorState: write(table, prior?.state ?? null),
      plannedState: write(table, again.planned),
      config: write(table, config),
      plannedPrivate: again.private,
    });
    const failed = hasError(answer.diagnostics);
    const now = valueOf(answer.newState);
    if (hasUnknown(now)) throw new Error('the state has unknown values');
    if (!failed) checkCompatible(again.planned, now, 'inconsistent result after apply');
    if (!isObject(now)) stored.delete(name);
    else {
      const isTainted = failed && prior === undefined;
      stored.set(name, { state: now, private: bytesOf(answer.private), ...(isTainted && { isTainted }) });
    }
    return { said: [...repeated, ...saidIn(answer.diagnostics)], failed };
  };
  return {
    harness,
    stored,
    plan,
    planTogether,
    apply,
    ask,
    restart,
    crash: () => {
      process = undefined;
    },
    refresh: async (type, name) => {
      await restart();
      return refresh(type, name);
    },
    validate: async (type, config) => {
      const table = tableOf(type);
      const { diagnostics } = await call('ValidateResourceConfig', {
        typeName: type,
        config: write(table, filled(table.fields, config)),
      });
      return saidIn(diagnostics);
    },
    run: async (type, name, config) => {
      const made = await plan(type, name, config);
      if (made.failed || !made.changes) return made;
      const applied = await apply(type, name, made);
      return { ...applied, said: [...made.said, ...applied.said], changes: true };
    },
    import: async (type, name, id) => {
      await restart();
      const answer = await call('ImportResourceState', { typeName: type, id });
      const [stub] = (answer.importedResources ?? []) as readonly Message[];
      if (stub === undefined) return saidIn(answer.diagnostics);
      const { stored: now, said } = await read(type, {
        state: valueOf(stub.state) as ValueObject,
        private: bytesOf(stub.private),
      });
      if (now !== undefined) stored.set(name, now);
      return said;
    },
    data: async (type, config) => {
      await restart();
      const request = { typeName: type, config: { msgpack: encodeAny(config) } };
      const { diagnostics } = await call('ValidateDataResourceConfig', request);
      if (hasError(diagnostics)) return { values: null, said: saidIn(diagnostics) };
      const answer = await call('ReadDataSource', request);
      return { values: valueOf(answer.state), said: saidIn(answer.diagnostics) };
    },
    close: async () => {
      await shutdown();
      await harness.close();
    },
  };
}

function tableOf(type: string): ResourceTable {
  const table = tables[type];
  if (table === undefined) throw new Error(`no resource ${type}`);
  return table;
}

function write({ fields }: ResourceTable, value: Value): Message {
  return { msgpack: encodeObject(fields, value) };
}

/** A provider block: what it may have is not looked at. */
function encodeAny(values: Readonly<Record<string, unknown>>): Uint8Array {
  const fieldsOf = (object: object): Fields =>
    Object.fromEntries(
      Object.entries(object).map(([name, value]: [string, unknown]) => [
        name,
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? { attribute: { is: 'group' as const, fields: fieldsOf(value) } }
          : Array.isArray(value)
            ? { attribute: { is: 'set' as const, of: 'text' as const } }
            : { attribute: { is: 'text' as const } },
      ]),
    );
  return encodeObject(fieldsOf(values), values as ValueObject);
}

function bytesOf(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}

function valueOf(value: unknown): Value {
  return decodeValue(bytesOf((value as Message | undefined)?.msgpack));
}

function saidIn(diagnostics: unknown): readonly string[] {
  return ((diagnostics ?? []) as readonly Message[]).map(
    ({ severity, summary, detail }) => `${severity === 1 ? '! ' : ''}${String(summary)}: ${String(detail)}`,
  );
}

function hasError(diagnostics: unknown): boolean {
  return ((diagnostics ?? []) as readonly Message[]).some(({ severity }) => severity === 1);
}

/** A configuration with everything that it leaves out, as null. */
function filled(fields: Fields, config: Readonly<Record<string, unknown>>): ValueObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { attribute }]): [string, Value] => {
      const value = (config[name] ?? null) as Value;
      if (value === null || value === UNKNOWN || !('fields' in attribute)) return [name, value];
      const below = (item: Value): Value =>
        item === UNKNOWN || item === null ? item : filled(attribute.fields, item as ValueObject);
      if (attribute.is === 'groups') return [name, (value as readonly Value[]).map(below)];
      if (attribute.is === 'map')
        return [name, Object.fromEntries(Object.entries(value).map(([key, item]) => [key, below(item as Value)]))];
      return [name, below(value)];
    }),
  );
}

/** The configuration with what the provider gave before; write-only values are in no plan. */
function proposedNew(fields: Fields, prior: Value, config: ValueObject): ValueObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { attribute, computed, live, writeOnly }]): [string, Value] => {
      const before = isObject(prior) ? (prior[name] ?? null) : null;
      const value = config[name] ?? null;
      if (writeOnly === true) return [name, null];
      if (computed === true || (live === true && value === null)) return [name, isObject(prior) ? before : UNKNOWN];
      if (!('fields' in attribute) || !('fields' in attribute) || value === null || value === UNKNOWN)
        return [name, value];
      const below = (old: Value, item: Value): Value =>
        isObject(item) ? proposedBelow(attribute.fields, old, item) : item;
      if (attribute.is === 'groups')
        return [
          name,
          (value as readonly Value[]).map((item, index) =>
            below(Array.isArray(before) ? ((before as readonly Value[])[index] ?? null) : null, item),
          ),
        ];
      if (attribute.is === 'map')
        return [
          name,
          Object.fromEntries(
            Object.entries(value as ValueObject).map(([key, item]) => [
              key,
              below(isObject(before) ? (before[key] ?? null) : null, item),
            ]),
          ),
        ];
      return [name, below(before, value)];
    }),
  );
}

function proposedBelow(fields: Fields, prior: Value, item: ValueObject): ValueObject {
  const proposed = proposedNew(fields, prior, item);
  const isNew = !isObject(prior);
  return Object.fromEntries(
    Object.entries(proposed).map(([name, value]) => [name, isNew && fields[name]?.computed === true ? null : value]),
  );
}

/** A planned value is the configured one, or, where nothing is configured, the provider's. */
function checkPlanned(fields: Fields, config: ValueObject, prior: Value, planned: Value): void {
  if (!isObject(planned)) throw new Error('nothing is planned');
  for (const [name, { computed, live, writeOnly, attribute }] of Object.entries(fields)) {
    const wanted = config[name] ?? null;
    if (computed === true || writeOnly === true || (live === true && wanted === null)) continue;
    const got = planned[name] ?? null;
    if ('fields' in attribute && wanted !== null && wanted !== UNKNOWN) continue;
    if (!same(wanted, got))
      throw new Error(`Provider produced invalid plan: ${name}: ${show(wanted)} became ${show(got)}`);
  }
}

/** What was known stays as it is. */
function checkCompatible(planned: Value, now: Value, what: string, place = ''): void {
  if (planned === UNKNOWN) return;
  if (Array.isArray(planned) && Array.isArray(now)) {
    const [left, right] = [planned as readonly Value[], now as readonly Value[]];
    if (left.length !== right.length) throw new Error(`Provider produced ${what}: ${place}: another length`);
    left.forEach((item, index) => checkCompatible(item, right[index] ?? null, what, `${place}/${index}`));
    return;
  }
  if (isObject(planned) && isObject(now)) {
    for (const name of new Set([...Object.keys(planned), ...Object.keys(now)]))
      checkCompatible(planned[name] ?? null, now[name] ?? null, what, `${place}/${name}`);
    return;
  }
  if (planned !== now) throw new Error(`Provider produced ${what}: ${place}: ${show(planned)} became ${show(now)}`);
}

function show(value: Value): string {
  return value === UNKNOWN ? 'unknown' : JSON.stringify(value, (_, item: unknown) => (item === UNKNOWN ? '?' : item));
}

function same(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item: Value, index) => same(item, right[index] as Value));
  if (!isObject(left) || !isObject(right)) return false;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every((name) => same(left[name] ?? null, right[name] ?? null));
}

function hasUnknown(value: Value): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return (value as readonly Value[]).some(hasUnknown);
  return isObject(value) && Object.values(value).some(hasUnknown);
}
