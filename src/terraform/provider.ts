// Which call of Terraform is answered by what, but for the schema: that is answered before this is loaded.
import type { Address } from '../model/address.ts';
import type { Session } from '../usecases/session.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Configured, Surroundings } from './configured.ts';
import { toMessages } from './diagnostics.ts';
import { addressIn, identityOf, IDENTITY_SCHEMA, idToImport, upgradedIdentity } from './identity.ts';
import { dataTables, tables } from './tables.ts';
import type { Caller, ClientCapabilities } from './planned-again.ts';
import { toldNow, withTold } from './planned-again.ts';
import type { Fields, ResourceTable } from './value/attribute.ts';
import type { Place } from './value/convert.ts';
import { configOf, isObject, placeOf, saysManaged } from './value/convert.ts';
import type { Value, ValueObject } from './value/cty.ts';
import { decodeValue, encodeObject } from './value/cty.ts';
import type { Handle } from './wire/grpc.ts';
import type { CallName } from './wire/messages.ts';
import { CALLS } from './wire/messages.ts';
import type { Message } from './wire/protobuf.ts';
import { decode, encode } from './wire/protobuf.ts';

/** Where the provider runs. */
export interface Host {
  /** What tells this build from others. */
  readonly engine: string;
  readonly session: () => Promise<Session>;
  readonly surroundings: Surroundings;
  /** From now on no message shows this value. */
  readonly learn: (secret: string) => void;
  /** Nothing new is begun. */
  readonly stop: () => void;
}

export interface Provider {
  /** What answers a call, by its name: `ReadResource`. */
  readonly find: (name: string) => Handle | undefined;
  /** Gives back what is held. */
  readonly close: () => Promise<void>;
}

type Answer = (request: Message) => Promise<Message | readonly Message[]>;

function isStream(answered: Message | readonly Message[]): answered is readonly Message[] {
  return Array.isArray(answered);
}

export function createProvider(host: Host): Provider {
  const { answers, close } = answersOf(host);
  const calls = new Map<string, Handle>(
    Object.entries(answers).map(([name, answer]) => {
      const { request, response } = CALLS[name as CallName];
      return [
        name,
        async (bytes) => {
          const answered = await answer(decode(request, bytes));
          return isStream(answered) ? answered.map((one) => encode(response, one)) : encode(response, answered);
        },
      ];
    }),
  );
  return { find: (name) => calls.get(name), close };
}

interface Answers extends Pick<Provider, 'close'> {
  readonly answers: Readonly<Record<Exclude<CallName, 'GetProviderSchema'>, Answer>>;
}

function answersOf(host: Host): Answers {
  let configured: Configured | undefined;
  let caller: Caller = { version: '', isCommandLine: false };
  const ready = (): Configured => {
    if (configured === undefined) throw new Error('the provider is used before it is configured');
    return configured;
  };
  const identity = (state: Value): { readonly identity?: Message } => {
    const found = identityOf(ready().workspace.account, state);
    return found === undefined ? {} : { identity: found };
  };
  const answers: Answers['answers'] = {
    GetResourceIdentitySchemas: () =>
      Promise.resolve({ identitySchemas: Object.keys(tables()).map((key) => ({ key, value: IDENTITY_SCHEMA })) }),
    UpgradeResourceIdentity: ({ rawIdentity }) => Promise.resolve({ upgradedIdentity: upgradedIdentity(rawIdentity) }),
    ValidateProviderConfig: async ({ config }) => {
      caller = { ...caller, isCommandLine: true };
      const { checkProvider } = await import('./configured.ts');
      const place = ({ pointer = '' }: Diagnostic): Place => ({
        steps: [{ attributeName: pointer.slice(1) }],
        text: '',
      });
      return { diagnostics: toMessages(checkProvider(objectIn(config) ?? {}), place) };
    },
    ValidateDataResourceConfig: async ({ typeName, config }) => {
      const { checkData } = await import('./data.ts');
      return { diagnostics: toMessages(checkData(String(typeName), objectIn(config) ?? {})) };
    },
    ConfigureProvider: async ({ terraformVersion, config }) => {
      caller = { ...caller, version: typeof terraformVersion === 'string' ? terraformVersion : '' };
      const { configure } = await import('./configured.ts');
      const values = objectIn(config) ?? {};
      if (typeof values.token === 'string') host.learn(values.token);
      const made = await configure(await host.session(), values, host.surroundings, host.engine);
      if ('diagnostics' in made) return { diagnostics: toMessages(made.diagnostics) };
      configured = made;
      return {};
    },
    ValidateResourceConfig: async ({ typeName, config }) => {
      const table = tableOf(typeName);
      const values = objectIn(config, table.fields);
      if (values === null) return {};
      const { declare, resourceKey } = await import('./resource/declare.ts');
      const inSync = configured?.inSync.get(resourceKey(table, values));
      if (inSync !== undefined && saysManaged(table.fields, values, inSync)) return {};
      const { diagnostics } = await declare(table, values, { isWritten: true });
      // What is no error, a plan tells.
      const told = configured === undefined ? diagnostics : diagnostics.filter(({ severity }) => severity === 'error');
      return { diagnostics: toMessages(told, placeIn(table, values), subjectIn(table, values)) };
    },
    UpgradeResourceState: ({ typeName, rawState }) => {
      const table = tableOf(typeName);
      const { json } = rawState as { readonly json?: Uint8Array };
      const stored: unknown = json === undefined ? null : JSON.parse(Buffer.from(json).toString('utf8'));
      // A stored state is a value as JSON; what it has beside the attributes is dropped.
      return Promise.resolve({ upgradedState: written(table, stored as Value) });
    },
    ReadResource: async ({ typeName, currentState, private: kept }) => {
      const table = tableOf(typeName);
      const state = objectIn(currentState, table.fields);
      if (state === null) return { newState: written(table, null) };
      const { readResource } = await import('./resource/read.ts');
      const read = await readResource(table, ready(), state, bytesIn(kept));
      return {
        newState: written(table, read.state),
        newIdentity: identity(read.state).identity,
        private: read.private,
        diagnostics: toMessages(read.diagnostics, placeIn(table, state), subjectIn(table, state)),
      };
    },
    PlanResourceChange: async ({
      typeName,
      priorState,
      config: given,
      priorPrivate,
      plannedPrivate,
      clientCapabilities,
    }) => {
      const table = tableOf(typeName);
      const { planResource } = await import('./resource/plan.ts');
      // The proposed state is derived from the same two values.
      const prior = objectIn(priorState, table.fields);
      const config = objectIn(given, table.fields);
      const planned = await planResource(table, ready(), {
        prior,
        config,
        private: bytesIn(priorPrivate),
      });
      const capabilities: ClientCapabilities = {
        deferralAllowed: false,
        storePlannedPrivate: false,
        ...(clientCapabilities as Message | undefined),
      };
      const told = toldNow(planned.diagnostics, { capabilities, plannedPrivate: bytesIn(plannedPrivate), caller });
      return {
        plannedState: written(table, planned.state),
        plannedPrivate: capabilities.storePlannedPrivate ? withTold(planned.private, told) : planned.private,
        plannedIdentity: planned.requiresReplace.length > 0 ? undefined : identity(planned.state).identity,
        requiresReplace: planned.requiresReplace.map((name) => ({ steps: [{ attributeName: name }] })),
        diagnostics: toMessages(told, placeIn(table, config ?? {}), subjectIn(table, config ?? prior)),
      };
    },
    ApplyResourceChange: async ({ typeName, priorState, plannedState, config, plannedPrivate }) => {
      const table = tableOf(typeName);
      const { applyResource } = await import('./resource/apply.ts');
      const planned = objectIn(plannedState, table.fields);
      const prior = objectIn(priorState, table.fields);
      const applied = await applyResource(table, ready(), {
        prior,
        planned,
        config: objectIn(config, table.fields),
        private: bytesIn(plannedPrivate),
      });
      return {
        newState: written(table, applied.state),
        newIdentity: identity(applied.state).identity,
        private: applied.private,
        diagnostics: toMessages(applied.diagnostics, placeIn(table, planned ?? {}), subjectIn(table, planned ?? prior)),
      };
    },
    ImportResourceState: async ({ typeName, id, identity: named }) => {
      const table = tableOf(typeName);
      const { importResource } = await import('./resource/read.ts');
      const wanted = idToImport(ready().workspace.account, typeof id === 'string' ? id : '', named);
      if ('diagnostic' in wanted) return { diagnostics: toMessages([wanted.diagnostic]) };
      const { state, private: kept } = importResource(table, {
        id: wanted.id,
        account: ready().workspace.account,
      });
      // Known by its name alone, it has an identity once it is read.
      const known = named === undefined ? {} : identity(state);
      return { importedResources: [{ typeName, state: written(table, state), private: kept, ...known }] };
    },
    GenerateResourceConfig: ({ typeName, state }) => {
      const table = tableOf(typeName);
      return Promise.resolve({ config: written(table, configOf(table.fields, objectIn(state, table.fields) ?? {})) });
    },
    ValidateListResourceConfig: () => Promise.resolve({}),
    ListResource: async ({ typeName, includeResourceObject, limit }) => {
      const table = tableOf(typeName);
      const { listResource } = await import('./list.ts');
      const how = { isWhole: includeResourceObject === true, limit: Number(limit ?? 0) };
      const found = await listResource(table, ready(), how);
      return found.map(({ name, state = null, whole, diagnostics }) => ({
        ...identity(state),
        displayName: name,
        ...(whole !== undefined && { resourceObject: written(table, whole) }),
        diagnostic: toMessages(diagnostics),
      }));
    },
    ReadDataSource: async ({ typeName, config }) => {
      const type = String(typeName);
      const fields = dataFieldsOf(type);
      const { readData } = await import('./data.ts');
      const found = await readData(type, { fields, config: objectIn(config) ?? {}, configured: ready(), tableOf });
      return {
        state: { msgpack: encodeObject(fields, found.values) },
        diagnostics: toMessages(found.diagnostics),
      };
    },
    StopProvider: () => {
      host.stop();
      return Promise.resolve({});
    },
  };
  return { answers, close: async () => configured?.close() };
}

function tableOf(typeName: unknown): ResourceTable {
  const table = tables()[String(typeName)];
  if (table === undefined) throw new Error(`there is no resource ${String(typeName)}`);
  return table;
}

function dataFieldsOf(type: string): Fields {
  const fields = dataTables()[type];
  if (fields === undefined) throw new Error(`there is no data source ${type}`);
  return fields;
}

/** An object that came as bytes; null for none. */
function objectIn(value: unknown, fields?: Fields): ValueObject | null {
  const { msgpack } = (value ?? {}) as { readonly msgpack?: Uint8Array };
  if (msgpack === undefined || msgpack.length === 0) return null;
  const decoded = decodeValue(msgpack, fields);
  return isObject(decoded) ? decoded : null;
}

function written({ fields }: ResourceTable, value: Value): Message {
  return { msgpack: encodeObject(fields, value) };
}

function bytesIn(value: unknown): Uint8Array | undefined {
  return value instanceof Uint8Array ? value : undefined;
}

/** Returns the address of the resource that a call is about; undefined if its name is not known yet. */
function subjectIn(table: ResourceTable, values: ValueObject | null): Address | undefined {
  const name = values?.[table.part?.name ?? 'name'];
  return values === null || typeof name !== 'string' ? undefined : addressIn(table, values);
}

/** The attribute that a diagnostic about a manifest is about. */
function placeIn({ fields, part }: ResourceTable, values: ValueObject) {
  return ({ pointer = '' }: Diagnostic): Place => {
    if (pointer.startsWith('/spec/')) return placeOf(fields, values, pointer.slice('/spec'.length));
    const [, name = ''] = pointer.startsWith('/metadata/name') ? ['', part?.name ?? 'name'] : pointer.split('/');
    return { steps: Object.hasOwn(fields, name) ? [{ attributeName: name }] : [], text: '' };
  };
}
