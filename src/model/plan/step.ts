// The closed grammar of a plan's steps: requests as data, how each answer is taken, what is waited for. Everything here
// survives JSON.
import type { Address } from '../address.ts';
import type { Json, Places } from '../json.ts';
import { isJsonObject, valueAt } from '../json.ts';

/** A value that an earlier step's answer gives, or that is already known of a bound object (`output: 'id'`). */
export interface Reference {
  readonly $ref: Address;
  readonly output: string;
}

/**
 * A secret's place, never its value. `env` is an environment name that the workspace lists; `file` lies inside an
 * allowed root.
 */
export type SecretReference = {
  readonly $secret: { readonly env: string } | { readonly file: string } | { readonly entry: string };
};

/** Data that must not be read as a reference although its keys look like one. */
export interface Literal {
  readonly $literal: Json;
}

/** A JSON body with references in it. Plain data that uses `$` keys is wrapped by {@link literal}. */
export type Template =
  | null
  | boolean
  | number
  | string
  | Reference
  | SecretReference
  | Literal
  | readonly Template[]
  | { readonly [key: string]: Template };

/** What is known of an object by name: ids, and what else an answer gave. */
export type Outputs = Readonly<Record<string, string>>;

/** Literal text and references in turn; each reference is percent-encoded as one path segment when it is filled in. */
export type PathTemplate = readonly (string | Reference)[];

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** A row, or a whole answer, is the wanted one when every condition holds. */
export interface Condition {
  readonly pointer: string;
  /** Where else it may stand: the first place that has anything counts. */
  readonly or?: readonly string[];
  readonly value: Template;
  /**
   * `hostname`: compared in canonical form, because the platform does not promise a spelling. `beginning`: the text
   * begins with it.
   */
  readonly as?: 'hostname' | 'beginning';
  /** What is not there yet fits too: the row may still be filled in. */
  readonly orAbsent?: true;
  /** Turned round: every value but this one fits. */
  readonly not?: true;
}

/** Finds one row by reading: none or many are told apart from one, never guessed. */
export interface LookUp {
  readonly read: PathTemplate;
  /** It is a question that is put by a POST with this body: the documents say that it changes nothing. */
  readonly ask?: Template;
  /**
   * Place of the array in the answer; '' when the answer itself is tested; ANY_LIST (`*`) where nobody says how the
   * array is wrapped.
   */
  readonly rows: Places;
  readonly where: readonly Condition[];
  /** Output name -> pointer into the row found. */
  readonly capture: Readonly<Record<string, string>>;
  /**
   * The rows say too little: each is read by itself at this path and the text at `id` in the row; conditions and `capture`
   * look at that answer.
   */
  readonly view?: { readonly path: PathTemplate; readonly id: string };
  /** Only rows whose time at this pointer is not before the request was sent (lost answers only). */
  readonly since?: string;
  /**
   * Not the rows whose value at `pointer` is this `output` of another object. While another object has the output
   * `open` and not yet `output`, no row can be told from its own, and nothing that is found counts.
   */
  readonly except?: { readonly pointer: string; readonly output: string; readonly open: string };
  /**
   * The list ends at `most` rows, counted together with the lists of `beside`, and does not say so. Where it holds that
   * many, what it does not show may be there all the same: `then` is asked instead.
   */
  readonly capped?: {
    readonly most: number;
    readonly beside: readonly { readonly read: PathTemplate; readonly rows: string }[];
    readonly then: LookUp;
  };
  /** Error answers to the read that say that there is none. */
  readonly gone?: readonly { readonly status: number; readonly code?: string }[];
}

/**
 * Waits. `until`: a read satisfies conditions. Anything else is waited for by name (`task`: an id, `cart`: a purchase,
 * whose order `capture` looks at): which reads that takes, and what their answers mean, is a table beside the kinds. A
 * deadline that passes is not a failure but "waiting": the next run continues.
 */
export type WaitFor =
  | {
      readonly how: 'until';
      readonly lookUp: LookUp;
      readonly found: boolean;
      /** The work that has to bring it about: once that has failed, nothing more is waited for. */
      readonly failsWith?: TasksWait;
      readonly deadlineMs: number;
      readonly reason: string;
    }
  | NamedWait;

export type NamedWait =
  | { readonly how: 'task'; readonly task: Reference; readonly deadlineMs: number; readonly reason: string }
  | TasksWait
  | {
      readonly how: 'cart';
      readonly cart: Reference;
      readonly capture: Readonly<Record<string, string>>;
      readonly deadlineMs: number;
      readonly reason: string;
    };

/** The tasks of a site that are newer than one that is known: some answers name no task of their own. */
export interface TasksWait {
  readonly how: 'tasks';
  readonly read: PathTemplate;
  /** The number of the newest task that was there before. */
  readonly after: number;
  /** begun: there is one. ended: none goes on, and none has failed. */
  readonly until: 'begun' | 'ended';
  readonly deadlineMs: number;
  readonly reason: string;
}

/** One read of a wait by name, and what its answer means. */
export interface WaitRead {
  readonly read: PathTemplate;
  readonly judge: (answer: Json) => WaitAnswer;
}

export type WaitAnswer =
  | { readonly then: 'done'; readonly outputs: Outputs }
  /** Known from now on, and by it the next read is chosen, at once. */
  | { readonly then: 'read-on'; readonly outputs: Outputs }
  /** `waiting`: somebody outside must act. `isOutside`: somebody outside works on it, for days at a bank. */
  | { readonly then: 'not-yet' | 'waiting' | 'fail'; readonly reason: string; readonly isOutside?: true };

/** Which read comes next, by what is known of each object by now. */
export type NextRead = (wait: NamedWait, outputsOf: (address: Address) => Outputs) => WaitRead;

/**
 * One row of the ordered table by which an answer is taken; the first that fits decides. Error answers of the documents
 * mean what `src/areas/<area>/endpoints.ts` says: a row is for what a kind does about one, or for what no document says.
 */
export interface AnswerRow {
  /** A status, or a hundred of them as `2xx`. */
  readonly status: number | '2xx' | '4xx' | '5xx';
  readonly code?: string;
  /** The body must have a value other than null at this pointer. */
  readonly has?: string;
  /**
   * done: taken, go on. wait-for: taken, then wait. look-up: it happened, but its id has to be found by `recovery`.
   * waiting: someone or something outside must act. fail: it failed. blocked: nothing was done, and nothing can be until
   * somebody changes something else. pending-external: it was done, and what is missing is up to someone outside:
   * nothing stays in flight, the next plan tells.
   */
  readonly then: 'done' | 'wait-for' | 'look-up' | 'waiting' | 'fail' | 'blocked' | 'pending-external';
  /** Output name -> pointer into the body. */
  readonly capture?: Readonly<Record<string, string>>;
  readonly waitFor?: WaitFor;
  /**
   * What a person is told when it is `waiting`, `fail`, `blocked` or `pending-external`; `{name}` in it is the output of that name.
   */
  readonly reason?: string;
  readonly rule?: string;
}

/** Where a manifest has written what the platform tells only once. */
export type SecretDestination =
  /** Relative to the folder of the workspace file, in a place that it lists for this. */
  | { readonly file: string }
  /** An entry of the credentials file, which the workspace lists for this: a command takes it. */
  | { readonly sink: string };

/**
 * What an answer tells only once goes to a file that was not there before: begun before the request is sent, so that a
 * disk that fails costs nothing, and on stable storage before anything else can fail. Or a command takes it, which was
 * found before the request is sent. Its secrets are there and nowhere else.
 */
export type OneTimeSecret = SecretDestination & {
  /** Name in the file -> pointer into the answer. Never an output: not in a ledger, an event or a text. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The same for what is no secret. These become outputs too, as the answer's `capture` does. */
  readonly beside: Readonly<Record<string, string>>;
  /** What a person does when the secrets are lost: the object is there, and no answer tells them again. */
  readonly remedy: string;
  readonly rule: string;
};

/** The output that says what became of what was to be kept. */
export const SECRET_SAVED = 'kept';
export type SecretSaved = 'whole' | 'lost';

export interface RequestStep {
  readonly do: 'request';
  /** Unique in its action; what the ledger and progress call it. */
  readonly name: string;
  readonly method: Exclude<Method, 'GET'>;
  readonly path: PathTemplate;
  readonly body?: Template;
  /** False: a second request could do the work twice. A lost response is confirmed by `recovery`. */
  readonly idempotent: boolean;
  readonly answers: readonly AnswerRow[];
  /**
   * How to find out by reading whether a request that is not idempotent was carried out, and what to do when the read
   * does not show it after `graceMs`. A list that may lag behind is not proof that nothing was created (RTY-04, RTY-06):
   *
   * - `send-again`: a second request cannot do the work twice, by the rule in `guarded`, so it is sent again.
   * - `plan-again`: it sets a value. It is not sent again in this run; the next plan reads the value.
   * - `ask`: it stays in flight. Later reads may confirm it; otherwise a person does (`ledger confirm`).
   * - `unknown`: the same, and no read is certain to show it, so it needs a complete ledger.
   */
  readonly recovery?: {
    readonly lookUp: LookUp;
    readonly ifNotFound: 'send-again' | 'plan-again' | 'ask' | 'unknown';
    /** How long reads may take to show the effect, in milliseconds, counted from the loss of the response. */
    readonly graceMs: number;
    readonly rule: string;
    /** The rule by which the platform refuses a second request. Required for `send-again`. */
    readonly guarded?: string;
  };
  /**
   * An earlier request of the action removed what this one makes again in another form. When this one fails, `body` goes
   * to the same place: it makes `what` as it was. Where that fails too, `there` tells whether it is there.
   */
  readonly putBack?: {
    readonly body: Template;
    readonly there: LookUp;
    /** The name that a person knows it by. */
    readonly what: string;
    readonly rule: string;
  };
  /** Not sent when this read finds a row: the platform has done it already. */
  readonly skipIf?: { readonly lookUp: LookUp; readonly reason: string; readonly rule: string };
  /** The expectations are checked again right before: for full replaces and deletes. */
  readonly recheck?: true;
  /** Locks of the action that are given back as soon as its answer is in the ledger. */
  readonly unlocks?: readonly string[];
  readonly oneTimeSecret?: OneTimeSecret;
  /** What it does, for the reader of the plan. */
  readonly reason: string;
  readonly rule?: string;
}

export interface LookUpStep {
  readonly do: 'look-up';
  readonly name: string;
  readonly lookUp: LookUp;
  readonly reason: string;
  /**
   * It finds nothing out but holds what was reviewed against what is so right before the first request; this is what it
   * means that no row fits. Then nothing is sent. Once something was sent it is not asked any more.
   */
  readonly unless?: string;
}

export interface WaitForStep {
  readonly do: 'wait-for';
  readonly name: string;
  readonly waitFor: WaitFor;
  /**
   * When the deadline passes, what the action made is there all the same: nothing stays in flight, the next plan tells
   * what is missing.
   */
  readonly open?: true;
  /** It need not come: when the deadline passes, the action goes on without it. */
  readonly optional?: true;
}

/** Read the object back and compare the action's changes with what is live; with `only`, those to these fields. */
export interface VerifyStep {
  readonly do: 'verify';
  readonly name: string;
  readonly only?: readonly string[];
  readonly reason: string;
  readonly rule?: string;
}

export type Step = LookUpStep | RequestStep | WaitForStep | VerifyStep;

/** The values at these pointers as text; what is not there, or is no scalar, is left out. */
export function captureOutputs(capture: Readonly<Record<string, string>>, document: Json | undefined): Outputs {
  const outputs: Record<string, string> = {};
  for (const [name, pointer] of Object.entries(capture)) {
    const value = valueAt(document, pointer);
    if (typeof value === 'string' && value !== '') outputs[name] = value;
    if (typeof value === 'number' || typeof value === 'boolean') outputs[name] = String(value);
  }
  return outputs;
}

/** A path template from a tagged template: text stays, references are kept. */
export function path(strings: TemplateStringsArray, ...values: readonly (Reference | string)[]): PathTemplate {
  const parts: (string | Reference)[] = [];
  strings.forEach((text, index) => {
    if (text !== '') parts.push(text);
    const value = values[index];
    if (value !== undefined) parts.push(typeof value === 'string' ? encodeURIComponent(value) : value);
  });
  return parts;
}

/** A reference to an output of another object. */
export function ref(address: Address, output = 'id'): Reference {
  return { $ref: address, output };
}

/** Wraps plain data whose keys could be taken for a reference; other data is returned as it is. */
export function literal(value: Json): Template {
  return looksLikeReference(value) ? { $literal: value } : value;
}

export function isReference(value: unknown): value is Reference {
  return isJsonObject(value) && typeof value.$ref === 'string' && typeof value.output === 'string';
}

export function isSecretReference(value: unknown): value is SecretReference {
  return isJsonObject(value) && isJsonObject(value.$secret);
}

export function isLiteral(value: unknown): value is Literal {
  return isJsonObject(value) && Object.hasOwn(value, '$literal') && Object.keys(value).length === 1;
}

/** Every reference in a template, in order of appearance. */
export function referencesIn(template: Template | PathTemplate): readonly Reference[] {
  if (isReference(template)) return [template];
  if (isLiteral(template) || isSecretReference(template)) return [];
  if (Array.isArray(template)) return template.flatMap((item: Template) => referencesIn(item));
  if (isJsonObject(template)) return Object.values(template).flatMap((item) => referencesIn(item as Template));
  return [];
}

/** True when no request of an action could do its work twice. */
export function isRepeatable({ steps }: { readonly steps: readonly Step[] }): boolean {
  return steps.every((step) => step.do !== 'request' || step.idempotent);
}

/** Every secret that these steps send. */
export function secretsIn(steps: readonly Step[]): readonly SecretReference[] {
  return steps.flatMap((step) => (step.do === 'request' && step.body !== undefined ? secretsOf(step.body) : []));
}

function secretsOf(template: Template): readonly SecretReference[] {
  if (isSecretReference(template)) return [template];
  if (isLiteral(template) || isReference(template)) return [];
  if (Array.isArray(template)) return template.flatMap((item: Template) => secretsOf(item));
  if (isJsonObject(template)) return Object.values(template).flatMap((item) => secretsOf(item as Template));
  return [];
}

function looksLikeReference(value: Json): boolean {
  if (Array.isArray(value)) return value.some((item: Json) => looksLikeReference(item));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([key, item]) => key.startsWith('$') || looksLikeReference(item));
}
