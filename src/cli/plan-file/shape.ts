// Decides what JSON is a plan: every field that reports show and that apply compares has its type. Extra keys are fine,
// a v1 may grow. Must not judge values: digests do, and apply holds them against a fresh plan.
import { Ajv } from 'ajv';

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const number: Schema = { type: 'number' };
const flag: Schema = { type: 'boolean' };
const anything: Schema = {};
const list = (items: Schema): Schema => ({ type: 'array', items });
const oneOf = (...values: readonly unknown[]): Schema => ({ enum: values });
const use = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
const record = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });
const object = (
  required: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
});
/** The value of `key` says which of the schemas holds. */
const choice = (key: string, cases: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  required: [key],
  properties: { [key]: { enum: Object.keys(cases) } },
  allOf: Object.entries(cases).map(([value, then]) => ({ if: { properties: { [key]: { const: value } } }, then })),
});

const reference = object({ $ref: text, output: text });
const pathTemplate = list({ anyOf: [text, reference] });
const locate = object(
  {
    read: pathTemplate,
    rows: { anyOf: [text, list(text)] },
    where: list(object({ pointer: text, value: anything }, { or: list(text), as: text, orAbsent: flag })),
    take: record(text),
  },
  {
    ask: anything,
    view: object({ path: pathTemplate, id: text }),
    since: text,
    except: object({ pointer: text, output: text, open: text }),
    capped: object({ most: number, beside: list(object({ read: pathTemplate, rows: text })), then: use('locate') }),
    gone: list(object({ status: number }, { code: text })),
  },
);
const settle = choice('how', {
  until: object({ locate: use('locate'), found: flag, deadlineMs: number, because: text }),
  task: object({ task: anything, deadlineMs: number, because: text }),
  cart: object({ cart: reference, take: record(text), deadlineMs: number, because: text }),
});
const answer = object(
  {
    status: { type: ['string', 'number'] },
    then: oneOf('done', 'settle', 'locate', 'waiting', 'stop', 'blocked', 'left'),
  },
  { code: text, has: text, take: record(text), settle: use('settle'), because: text, rule: text },
);
const request = object(
  {
    name: text,
    method: oneOf('POST', 'PATCH', 'PUT', 'DELETE'),
    path: pathTemplate,
    repeat: oneOf('safe', 'unsafe'),
    answers: list(answer),
    because: text,
  },
  {
    lost: object(
      { locate: use('locate'), none: oneOf('send-again', 'stop', 'blocked'), graceMs: number, rule: text },
      { guarded: text },
    ),
    skipIf: object({ locate: use('locate'), because: text, rule: text }),
    recheck: flag,
    releases: list(text),
    keep: object({ file: text, secrets: record(text), beside: record(text), todo: text, rule: text }),
    rule: text,
  },
);
const step = choice('do', {
  request,
  locate: object({ name: text, locate: use('locate'), because: text }, { unless: text }),
  settle: object({ name: text, settle: use('settle') }, { open: flag }),
  verify: object({ name: text, because: text }, { rule: text, only: list(text) }),
});
const position = object({ file: text, line: number, column: number });
const diagnostic = object(
  { code: text, severity: oneOf('error', 'warning', 'info'), summary: text, detail: text },
  { address: text, pointer: text, source: position, frame: text },
);
const obstacle = object({ address: text, because: text, todo: text }, { rule: text });
const test = object({ op: oneOf('test'), path: text, value: anything });
const action = object(
  {
    address: text,
    kind: text,
    digest: text,
    verb: oneOf('create', 'update', 'delete'),
    reason: text,
    changes: list(
      object(
        { op: oneOf('add', 'replace', 'remove'), path: text },
        { secret: { type: 'object', additionalProperties: text }, mark: flag, personal: list(text) },
      ),
    ),
    expect: object(
      { exists: flag, tests: list(test) },
      { siblings: list(text), order: oneOf('kept', 'moved'), from: object({ address: text, tests: list(test) }) },
    ),
    risk: list(oneOf('charge', 'delete', 'restart', 'exposure', 'primary', 'irreversible')),
    protected: flag,
    requires: object({ userCredential: flag, scopes: list(text), roles: list(text) }, { closedToOauth: flag }),
    stage: oneOf('change', 'removal'),
    effects: list(object({ address: text, path: text, value: anything })),
    locks: list(text),
    steps: list(step),
    needs: list(object({ address: text, rule: text, because: text })),
  },
  { source: position, cost: object({ amountCents: number, currency: text }), occasion: oneOf('before', 'after') },
);
const driftClass = oneOf('pending', 'drifted', 'both', 'differs', 'in-flight');
const driftItem = object(
  {
    address: text,
    class: driftClass,
    is: oneOf('changed', 'missing', 'extra', 'in-flight'),
    fields: list(object({ path: text, class: driftClass }, { mark: flag, personal: list(text) })),
  },
  {
    appliedAt: text,
    traces: list(object({ id: text, name: text, status: text, at: text }, { by: text })),
    source: position,
  },
);
const counts = [
  'create',
  'update',
  'delete',
  'charges',
  'restarts',
  'manual',
  'waiting',
  'blocked',
  'unknown',
  'unmanaged',
  'unchanged',
];
const plan = {
  $defs: { locate, settle },
  ...object(
    {
      format: text,
      planId: text,
      ledgerSequence: number,
      account: text,
      digest: text,
      summary: object(Object.fromEntries(counts.map((name) => [name, number]))),
      actions: list(action),
      bindings: record(text),
      unmanaged: list(object({ collection: text, kind: text, identity: text, yaml: text })),
      blocked: list(obstacle),
      unknown: list(obstacle),
      waiting: list(obstacle),
      manual: list(obstacle),
      deferred: list(object({ address: text, until: text, because: text, declared: text })),
      remarks: list(diagnostic),
    },
    {
      covers: object({ targets: list(text) }, { read: list(text) }),
      drift: list(driftItem),
      ignored: list(object({ address: text, as: text, by: text }, { path: text })),
    },
  ),
};

/** The first place where a value is not a plan, in words; undefined when it is one. */
export function findShapeProblem(value: unknown): string | undefined {
  const ajv = new Ajv({ strict: false });
  if (ajv.validate(plan, value)) return undefined;
  // The conditions of `choice` only say that a case failed; the error of the case itself comes before.
  const [first] = (ajv.errors ?? []).filter(({ keyword }) => keyword !== 'if');
  return `${first?.instancePath || 'the document'} ${first?.message ?? 'is not a plan'}`;
}
