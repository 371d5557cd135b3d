// Which object of a plan a field of a manifest belongs to, and what becomes of a change to it: as the kinds say, found
// by expanding the examples of the schemas as any manifest is.
import { addressOf } from '../../model/address.ts';
import type { ExplainedChange, ExplainedObject } from '../../model/explained.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { FieldRule, Kind, SectionItem, WriteDefinition } from '../../model/kind/kind.ts';
import type { Risk } from '../../model/plan/plan.ts';
import { registry } from '../../areas/index.ts';
import type { Place } from './schema.ts';
import { namesIn, placeAt } from './schema.ts';

/** Where the fields of an object stand in the spec of its root: `edgeRules[].triggers`. */
interface Standing {
  readonly kind: Kind;
  readonly field: string;
  readonly rule: FieldRule;
}

/** The fields of all kinds in one root, by their path in its spec. */
export type Standings = ReadonlyMap<string, Standing>;

/** What the kinds in a root say, from the examples of its schema. */
export function standingsIn(root: string, spec: Place): Standings {
  const found = new Map<string, Standing>();
  for (const kind of kindsIn(root)) {
    const examples = kind.section.fields.flatMap((field) => exampleAt(spec, field));
    // One field may say something of another only where both are there.
    for (const example of [
      ...examples,
      ...(examples.length > 1 ? [Object.assign({}, ...examples) as JsonObject] : []),
    ]) {
      for (const item of kind.section.expand(example, 'example.com')) {
        for (const [field, rule] of Object.entries(kind.fields)) {
          const path = standsAt(spec, item, field);
          if (
            rule.shape !== 'position' &&
            path !== undefined &&
            !isOthers(root, kind, path) &&
            isBetter(rule, found.get(path)?.rule)
          )
            found.set(path, { kind, field, rule });
        }
      }
    }
  }
  return found;
}

/** Where a field is written: in its item, where that can hold it, else where the kind says. */
function standsAt(spec: Place, { pointer, pointers = {} }: SectionItem, field: string): string | undefined {
  return [`${pointer}/${field}`, pointers[field] ?? []]
    .flat()
    .map(pathOf)
    .find((path) => placeAt(spec, namesIn(path)) !== undefined);
}

/** A section of another kind: what this one knows of it is only what it is held against. */
function isOthers(root: string, own: Kind, path: string): boolean {
  return kindsIn(root).some(
    (kind) =>
      kind !== own && kind.parent !== null && sectionPaths(kind).includes(path) && !sectionPaths(own).includes(path),
  );
}

/** Several kinds may hold what is written once: what can be changed is what it is for. */
function isBetter({ rule }: FieldRule, than: FieldRule | undefined): boolean {
  return than === undefined || (than.rule !== 'updatable' && rule === 'updatable');
}

/** What becomes of a change at a path; undefined where no kind has anything to do with it. */
export function changeAt(
  root: string,
  standings: Standings,
  path: string,
  values: readonly Json[],
): ExplainedChange | undefined {
  const at = longestPrefix([...standings.keys()], path);
  const section = longestPrefix(sectionsIn(root), path) ?? '';
  const standing = at === undefined ? undefined : standings.get(at);
  // What is around a section of its own says nothing of it.
  if (at === undefined || standing === undefined || section.length > at.length) return undefined;
  const { kind, field, rule } = standing;
  const update = Object.values(kind.update).find(({ writes }) => writes.includes(field));
  return {
    kind: kind.kind,
    field,
    rule: rule.rule,
    shape: rule.shape,
    ...('why' in rule && { why: rule.why }),
    ...(at !== path && { partOf: at }),
    ...risksOf(update, standing, at === path ? values : []),
    manual: 'manual' in rule,
  };
}

/** The kinds of objects in a root, itself first. */
export function kindsIn(root: string): readonly Kind[] {
  return [...registry.values()].filter(({ kind, parent }) => kind === root || parent === root);
}

/** What the plan knows a kind as. */
export function objectOf({
  kind,
  parent,
  list,
  capabilities: { hook },
  create,
  remove,
  cannotCreate,
  cannotRemove,
  section,
  fields,
}: Kind): ExplainedObject {
  const own = parent === null ? null : addressOf(null, parent, 'NAME');
  const staticRisks = (risk: WriteDefinition<JsonObject>['risk']): readonly Risk[] =>
    typeof risk === 'function' ? [] : (risk ?? []);
  return {
    kind,
    address: addressOf(own, kind, list === 'singleton' && parent !== null ? null : 'NAME'),
    list: parent === null ? 'root' : list,
    hook: hook !== undefined,
    ...(create !== undefined && { create: staticRisks(create.risk) }),
    ...(remove !== undefined && { remove: typeof remove.risk === 'function' ? remove.risk({}) : remove.risk }),
    // Elsewhere each field says it.
    exposes: list === 'authoritative' && Object.values(fields).some(({ lowers = 'never' }) => lowers !== 'never'),
    // Of what is there with its root the reason is about a live object that lacks it, which is no documentation.
    ...(cannotCreate !== undefined &&
      (parent === null || list === 'additive' || list === 'authoritative') && { cannotCreate: cannotCreate.reason }),
    ...(cannotRemove !== undefined && { cannotRemove: cannotRemove.reason }),
    path: parent === null ? kind : `${parent}.${sectionPlace(section.fields)}`,
  };
}

/** Where a section begins, as keys joined by dots: what its places have in common, else the first of them. */
export function sectionPlace(fields: Kind['section']['fields']): string {
  const [first = [], ...others] = fields.map((field) => field.split('/'));
  const shared = first.filter((token, index) => others.every((other) => other[index] === token));
  return (shared.length === 0 ? first : shared).join('.');
}

/** What a change may do besides: where that depends on the value, for any of those that are known. */
function risksOf(
  update: WriteDefinition<JsonObject> | undefined,
  { field, rule: { lowers = 'never' } }: Standing,
  values: readonly Json[],
): Pick<ExplainedChange, 'risks' | 'mayRisk'> {
  const risk = update?.risk;
  const exposure: readonly Risk[] = lowers === 'never' ? [] : ['exposure'];
  if (typeof risk !== 'function') return { risks: [...(risk ?? []), ...exposure], mayRisk: exposure.length > 0 };
  // Another one has the place of the primary one before.
  const other = { identity: '', spec: { [field]: true }, computed: {} };
  const possible = [...values, true, false].flatMap((value) => risk({ [field]: value }, {}, {}, [other]));
  return { risks: [...new Set([...possible, ...exposure])], mayRisk: true };
}

/** Specs with nothing but one section in them, as its examples show it. */
function exampleAt(spec: Place, field: string): readonly JsonObject[] {
  const tokens = field.split('/');
  return (placeAt(spec, tokens)?.schema.examples ?? []).map(
    (example) => tokens.reduceRight<Json>((value, token) => ({ [token]: value }), example) as JsonObject,
  );
}

/** `/edgeRules/0/name` as `edgeRules[].name`. */
function pathOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .reduce((path, token) => (/^\d+$/.test(token) ? `${path}[]` : path === '' ? token : `${path}.${token}`), '');
}

function sectionsIn(root: string): readonly string[] {
  return kindsIn(root).flatMap((kind) => (kind.parent === null ? [] : sectionPaths(kind)));
}

function sectionPaths({ section }: Kind): readonly string[] {
  return section.fields.map((field) => field.replaceAll('/', '.'));
}

function longestPrefix(paths: readonly string[], path: string): string | undefined {
  const fitting = paths.filter((one) => path === one || path.startsWith(`${one}.`) || path.startsWith(`${one}[]`));
  return fitting.sort((left, right) => right.length - left.length)[0];
}
