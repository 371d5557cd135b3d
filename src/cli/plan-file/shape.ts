// What JSON is a plan: every field that reports show and that apply compares has its type. Extra keys are fine, a v1 may
// grow.
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
const lookUp = object(
  {
    read: pathTemplate,
    rows: { anyOf: [text, list(text)] },
    where: list(object({ pointer: text, value: anything }, { or: list(text), as: text, orAbsent: flag })),
    capture: record(text),
  },
  {
    ask: anything,
    view: object({ path: pathTemplate, id: text }),
    since: text,
    except: object({ pointer: text, output: text, open: text }),
    capped: object({ most: number, beside: list(object({ read: pathTemplate, rows: text })), then: use('lookUp') }),
    gone: list(object({ status: number }, { code: text })),
  },
);
const waitFor = choice('how', {
  until: object({ lookUp: use('lookUp'), found: flag, deadlineMs: number, reason: text }),
  task: object({ task: reference, deadlineMs: number, reason: text }),
  cart: object({ cart: reference, capture: record(text), deadlineMs: number, reason: text }),
});
const answer = object(
  {
    status: { type: ['string', 'number'] },
    then: oneOf('done', 'wait-for', 'look-up', 'waiting', 'fail', 'blocked', 'pending-external'),
  },
  { code: text, has: text, capture: record(text), waitFor: use('waitFor'), reason: text, rule: text },
);
const request = object(
  {
    name: text,
    method: oneOf('POST', 'PATCH', 'PUT', 'DELETE'),
    path: pathTemplate,
    idempotent: flag,
    answers: list(answer),
    reason: text,
  },
  {
    recovery: object(
      { lookUp: use('lookUp'), ifNotFound: oneOf('send-again', 'unknown', 'blocked'), graceMs: number, rule: text },
      { guarded: text, renames: text },
    ),
    skipIf: object({ lookUp: use('lookUp'), reason: text, rule: text }),
    putBack: object({ body: anything, there: use('lookUp'), what: text, rule: text }),
    recheck: flag,
    unlocks: list(text),
    oneTimeSecret: object(
      { secrets: record(text), beside: record(text), remedy: text, rule: text },
      { file: text, sink: text },
    ),
    rule: text,
  },
);
const step = choice('do', {
  request,
  'look-up': object({ name: text, lookUp: use('lookUp'), reason: text }, { unless: text }),
  'wait-for': object({ name: text, waitFor: use('waitFor') }, { open: flag }),
  verify: object({ name: text, reason: text }, { rule: text, only: list(text) }),
});
const position = object({ file: text, line: number, column: number });
const diagnostic = object(
  { code: text, severity: oneOf('error', 'warning', 'info'), summary: text, detail: text },
  { address: text, pointer: text, source: position, frame: text },
);
const blocker = object({ address: text, reason: text, remedy: text }, { rule: text });
const test = object({ op: oneOf('test'), path: text, value: anything });
const change = object(
  { op: oneOf('add', 'replace', 'remove'), path: text },
  { secret: { type: 'object', additionalProperties: text }, rotationToken: flag, personal: list(text) },
);
const action = object(
  {
    address: text,
    kind: text,
    digest: text,
    verb: oneOf('create', 'update', 'delete'),
    reason: text,
    changes: list(change),
    expect: object(
      { exists: flag, tests: list(test) },
      { siblings: list(text), order: oneOf('kept', 'moved'), from: object({ address: text, tests: list(test) }) },
    ),
    risk: list(oneOf('charge', 'delete', 'lapse', 'restart', 'exposure', 'primary', 'irreversible')),
    protected: flag,
    requires: object({ userCredential: flag, scopes: list(text), roles: list(text) }, { closedToOauth: flag }),
    stage: oneOf('change', 'removal'),
    effects: list(object({ address: text, path: text, value: anything })),
    locks: list(text),
    steps: list(step),
    needs: list(object({ address: text, rule: text, reason: text })),
  },
  {
    source: position,
    cost: object({ amountCents: number, currency: text }),
    hook: oneOf('before', 'after'),
    keep: object({ yaml: text, accept: flag }),
  },
);
const driftClass = oneOf('pending', 'drifted', 'both', 'differs', 'in-flight');
const driftItem = object(
  {
    address: text,
    class: driftClass,
    is: oneOf('changed', 'missing', 'extra', 'in-flight'),
    fields: list(object({ path: text, class: driftClass }, { rotationToken: flag, personal: list(text) })),
  },
  {
    appliedAt: text,
    activity: list(object({ id: text, name: text, status: text, at: text }, { by: text })),
    source: position,
  },
);
const remedy = object({}, { yaml: text, command: text, only: list(text), reason: text });
const orphaned = object(
  {
    collection: text,
    kind: text,
    objects: list(
      object(
        { address: text },
        {
          made: object({ by: oneOf('created', 'recorded') }, { at: text }),
          removedFrom: position,
          id: text,
          unread: text,
        },
      ),
    ),
  },
  { file: text, remove: remedy, keep: remedy },
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
  $defs: { lookUp, waitFor },
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
      blocked: list(blocker),
      unknown: list(blocker),
      waiting: list(blocker),
      manual: list(blocker),
      deferred: list(
        object(
          { address: text, until: text, reason: text, declared: text },
          { objects: list(object({ address: text, changes: list(change) })) },
        ),
      ),
      notices: list(diagnostic),
    },
    {
      orphaned: list(orphaned),
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
