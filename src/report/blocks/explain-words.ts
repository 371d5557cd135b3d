// How documentation is worded, the same in every form: what a change comes to, what a section stands for in plans, what
// a value keeps to.
import type {
  Explained,
  ExplainedChange,
  ExplainedField,
  ExplainedForm,
  ExplainedObject,
} from '../../model/explained.ts';
import type { Json } from '../../model/json.ts';
import type { Risk } from '../../model/plan/plan.ts';
import { listOf } from '../../model/format.ts';
import { present } from '../../model/common/lists.ts';

const RISKS: Readonly<Record<Risk, string>> = {
  charge: 'costs money',
  delete: 'deletes',
  lapse: 'ends renewal',
  restart: 'restarts the site',
  exposure: 'lowers protection',
  primary: 'changes the primary hostname',
  irreversible: 'cannot be undone',
};

const RULES: Readonly<Record<ExplainedChange['rule'], string>> = {
  updatable: 'Can be changed.',
  immutable: 'Cannot be changed.',
  createOnly: 'Never compared with what is live.',
  writeOnly:
    'A secret: it is written when the object is made, and when its `rotate` mark is not the one in the ledger, and never read.',
  'rotation-token': 'A mark: what it stands for is done again when it is not the one in the ledger.',
};

const SHAPES: Readonly<Record<ExplainedChange['shape'], string>> = {
  value: '',
  set: ' It changes as a whole; order and repeats make no difference.',
  list: ' It changes as a whole, and its order is meaning.',
  position: '',
};

/** What becomes of a change to a field, in sentences. */
export function changeWords({
  kind,
  field,
  rule,
  shape,
  why,
  partOf,
  risks,
  mayRisk,
  manual,
}: ExplainedChange): string {
  const part = partOf === undefined ? '' : ` It goes with \`${partOf}\`, never by itself.`;
  const risk = risks.length === 0 ? '' : ` A change ${mayRisk ? 'to some values ' : ''}${riskWords(risks)}.`;
  return `${RULES[rule]}${SHAPES[shape]}${why === undefined ? '' : ` ${why}`}${manual ? ' A person does it; the plan says how.' : ''}${part}${risk} Plans show it as \`${field}\` of ${kind}.`;
}

const LISTS: Readonly<Record<ExplainedObject['list'], string>> = {
  root: 'A manifest declares one.',
  additive: 'One that no manifest ever named is reported and left alone.',
  authoritative: 'The list is the whole list: one that it does not name is removed.',
  singleton: 'There is one.',
  'platform-defined': 'Which there are is up to the platform.',
};

/** What a section stands for in plans, in sentences. */
export function objectWords({
  address,
  list,
  hook,
  create,
  remove,
  exposes,
  cannotCreate,
  cannotRemove,
}: ExplainedObject): string {
  const made = create === undefined || create.length === 0 ? '' : ` Making one ${riskWords(create)}.`;
  const lost = (remove ?? []).filter((risk) => risk !== 'delete');
  const removed = lost.length === 0 ? '' : ` Removing one ${riskWords(lost)}.`;
  const never = [
    cannotCreate === undefined ? '' : ` None is made: ${cannotCreate}.`,
    cannotRemove === undefined ? '' : ` None is removed: ${cannotRemove}.`,
  ].join('');
  return `Plans call it \`${address}\`. ${hook ? 'It is done together with changes, and never compared.' : LISTS[list]}${made}${removed}${exposes ? ' Making, changing or removing one may lower protection.' : ''}${never}`;
}

/** The type, and whether it has to be there. */
export function typeWords({ type, required }: Pick<Explained, 'type' | 'required'>): string {
  return required ? `${type}, required` : type;
}

/**
 * What a value keeps to, what is taken where it is absent, how it looks: each a label and words. A mapping is shown in
 * the manifest.
 */
export function valueWords(
  page: Pick<Explained, 'allowed' | 'limits' | 'default' | 'examples' | 'fields'>,
): readonly (readonly [label: string, words: string])[] {
  const { allowed, limits, default: value, examples, fields } = page;
  return present<readonly [string, string]>(
    allowed.length > 0 && ['Allowed', allowed.map(valueText).join(', ')],
    limits.length > 0 && ['Limits', limits.join('; ')],
    value !== undefined && ['Default', valueText(value)],
    fields.length === 0 &&
      examples.length > 0 && [examples.length === 1 ? 'Example' : 'Examples', examples.map(valueText).join(' or ')],
  );
}

/** A field in a list of them: type, what is allowed, the first sentence or all of its description. */
export function fieldWords(field: ExplainedField, whole = false): string {
  const { description } = field;
  const allowed = allowedWords(field);
  return `${typeWords(field)}${allowed === '' ? '' : `: ${allowed}`}. ${(whole ? description : firstSentence(description)).replace(/ Required\.$/, '')}`;
}

/** A form of a value without its fields. */
export function formWords({ type, fields, description, limits, allowed }: ExplainedForm): string {
  const keeps = fields.length > 0 ? '' : [allowedWords({ allowed }), ...limits].filter((one) => one !== '').join('; ');
  return [`${type}${keeps === '' ? '' : `: ${keeps}`}.`, description].filter((one) => one !== '').join(' ');
}

/** The fields that no form shows. */
export function fieldsBeside({ fields, forms }: Pick<Explained, 'fields' | 'forms'>): readonly ExplainedField[] {
  return fields.filter(
    ({ name }) => !forms.some((form) => form.name === name || form.fields.some((one) => one.name === name)),
  );
}

const FEW = 8;

function allowedWords({ allowed }: { readonly allowed: readonly Json[] }): string {
  return allowed.length > FEW ? '' : allowed.map(valueText).join(', ');
}

/** The first sentence of a description. */
export function firstSentence(text: string): string {
  return /^.*?[.:;](?=\s|$)/s.exec(text)?.[0].replace(/[:;]$/, '.') ?? text;
}

function valueText(value: Json): string {
  return `\`${typeof value === 'string' && /^[\w./:@+*-]+$/.test(value) ? value : JSON.stringify(value)}\``;
}

function riskWords(risks: readonly Risk[]): string {
  return listOf(
    risks.map((risk) => RISKS[risk]),
    'and',
  );
}
