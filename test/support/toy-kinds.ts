// Kinds that no platform has, to exercise what the engine promises of every kind: fixed and nested fields, ordered
// updates, authoritative lists.
import type { Kind, Registry } from '../../src/model/kind/kind.ts';
import {
  createOnly,
  defineRoot,
  defineChild,
  immutable,
  unordered,
  updatable,
  writeOnly,
} from '../../src/model/kind/kind.ts';
import { rowsAt, textAt } from '../../src/model/kind/rows.ts';
import { path, ref } from '../../src/model/plan/step.ts';
import type { SecretReference, Step } from '../../src/model/plan/step.ts';

interface BoxSpec {
  readonly name: string;
}
interface RuleSpec {
  readonly name: string;
  readonly size: number;
  readonly colour: string;
  readonly tags: readonly string[];
  readonly limits: { readonly low: number; readonly high: number };
  readonly origin: string;
}

interface VaultSpec {
  readonly name: string;
  readonly size: number;
  readonly password: SecretReference;
  readonly pin: SecretReference;
  readonly code: SecretReference;
}

const requires = { userCredential: false, scopes: ['boxes:write'], roles: ['can_modify'] } as const;

function send(
  name: string,
  method: 'POST' | 'PATCH' | 'DELETE',
  target: ReturnType<typeof path>,
  body?: Record<string, unknown>,
): Step {
  return {
    do: 'request',
    name,
    method,
    path: target,
    ...(body !== undefined && { body: body as never }),
    idempotent: !(method === 'POST'),
    answers: [{ status: '2xx', then: 'done', ...(method === 'POST' && { capture: { id: '/id' } }) }],
    reason: name,
  };
}

export const box = defineRoot<BoxSpec>({
  kind: 'Box',
  list: 'additive',
  section: {
    fields: ['name'],
    expand: (spec) => [{ name: null, spec: 'name' in spec ? { name: spec.name } : {}, pointer: '' }],
  },
  identity: 'name',
  fields: { name: updatable() },
  reads: { boxes: { path: () => '/api/boxes', rows: '/boxes' } },
  decode: ({ boxes }) =>
    rowsAt(boxes).map((row) => ({
      id: textAt(row, '/id'),
      spec: { name: textAt(row, '/name') },
      keys: [[textAt(row, '/name')]],
    })),
  create: { reason: 'it must be bought', remedy: 'Buy it.', rule: 'TOY-05' },
  update: {
    rename: {
      writes: ['name'],
      requires,
      steps: ({ self, desired }) => [send('rename', 'PATCH', path`/api/boxes/${ref(self)}`, { name: desired.name })],
    },
  },
});

export const rule = defineChild<RuleSpec>({
  kind: 'Rule',
  parent: 'Box',
  list: 'authoritative',
  section: {
    fields: ['rules'],
    expand: (spec) =>
      (spec.rules as unknown as readonly RuleSpec[]).map((item, index) => ({
        name: item.name,
        spec: { ...item } as never,
        pointer: `/rules/${index}`,
      })),
  },
  identity: 'name',
  fields: {
    name: immutable('A rule has no rename.'),
    size: updatable(),
    colour: updatable(),
    tags: unordered(),
    limits: updatable(),
    origin: createOnly('Never read back.'),
  },
  normalise: (spec) => (spec.colour === undefined ? spec : { ...spec, colour: spec.colour.toLowerCase() }),
  reads: { rules: { path: ({ parent }) => `/api/boxes/${parent?.id ?? ''}/rules` } },
  decode: ({ rules }) => rowsAt(rules).map((row) => ({ id: textAt(row, '/id'), spec: row as unknown as RuleSpec })),
  create: {
    writes: ['name', 'size', 'origin'],
    requires,
    risk: ['charge'],
    steps: ({ parent, desired }) => [
      send('create', 'POST', path`/api/boxes/${ref(parent)}/rules`, { name: desired.name }),
    ],
  },
  update: {
    label: {
      writes: ['tags'],
      requires: { ...requires, userCredential: true },
      steps: ({ self }) => [send('label', 'PATCH', path`/api/rules/${ref(self)}/tags`)],
    },
    resize: {
      writes: ['size'],
      requires,
      steps: ({ self }) => [send('resize', 'PATCH', path`/api/rules/${ref(self)}/size`)],
    },
    paint: {
      writes: ['colour', 'limits'],
      requires: { ...requires, roles: ['can_destroy'] },
      risk: ['restart'],
      steps: ({ self, changed }) => [send('paint', 'PATCH', path`/api/rules/${ref(self)}`, { changed: [...changed] })],
    },
  },
  remove: {
    risk: ['delete'],
    refuse: ({ spec }) =>
      spec.name === 'last' ? { reason: 'it is the last one', remedy: 'Keep it.', rule: 'TOY-01' } : null,
    steps: ({ self }) => [send('remove', 'DELETE', path`/api/rules/${ref(self)}`)],
  },
  order: [
    {
      rule: 'TOY-02',
      reason: 'red comes first',
      within: 'parent',
      before: ({ changes }) => changes.some(({ path: at, value }) => at === '/colour' && value === 'red'),
      after: ({ verb }) => verb === 'create',
    },
    {
      rule: 'TOY-03',
      reason: 'boxes before rules',
      within: 'root',
      before: ({ kind }) => kind === 'Box',
      after: ({ kind }) => kind === 'Rule',
    },
  ],
  status: ({ spec }) => (spec.name.startsWith('system:') ? { is: 'platform-managed' } : undefined),
});

/** Secrets of three sorts: sent at creation and changeable, never sent at creation, sent at creation alone. */
export const vault = defineChild<VaultSpec>({
  kind: 'Vault',
  parent: 'Box',
  list: 'additive',
  section: {
    fields: ['vaults'],
    expand: (spec) =>
      (spec.vaults as unknown as readonly VaultSpec[]).map((item, index) => ({
        name: item.name,
        spec: { ...item } as never,
        pointer: `/vaults/${index}`,
      })),
  },
  identity: 'name',
  fields: {
    name: immutable('A vault has no rename.'),
    size: updatable(),
    password: writeOnly('Never shown.'),
    pin: writeOnly('Never shown.'),
    code: writeOnly('Used once.'),
  },
  reads: { things: { path: () => '/api/things', rows: '/things' } },
  decode: ({ things }) =>
    rowsAt(things).map((row) => ({
      id: textAt(row, '/id'),
      spec: { name: textAt(row, '/name'), ...(typeof row.size === 'number' && { size: row.size }) },
    })),
  create: {
    writes: ['name', 'password', 'code'],
    requires,
    steps: ({ desired: { name, password, code } }) => [
      send('create', 'POST', path`/api/things`, { name, ...(password && { password }), ...(code && { code }) }),
    ],
  },
  update: {
    resize: {
      writes: ['size'],
      requires,
      steps: ({ self, desired }) => [send('resize', 'PATCH', path`/api/things/${ref(self)}`, { ...desired })],
    },
    secure: {
      writes: ['password'],
      requires,
      steps: ({ self, desired: { password } }) => [
        send('secure', 'PATCH', path`/api/things/${ref(self)}`, { password }),
      ],
    },
    pin: {
      writes: ['pin'],
      requires,
      refuse: ({ name }) => (name === 'sealed' ? { reason: 'it is sealed', remedy: 'Open it.', rule: 'TOY-06' } : null),
      steps: ({ self, desired: { pin } }) => [send('pin', 'PATCH', path`/api/things/${ref(self)}`, { pin })],
    },
  },
  remove: {
    risk: ['delete'],
    steps: ({ self }) => [send('remove', 'DELETE', path`/api/things/${ref(self)}`)],
  },
});

export const toyRegistry: Registry = new Map<string, Kind>([
  ['Box', box],
  ['Rule', rule],
]);
