// What the schemas cannot say: names and objects that only one manifest may have, and pointers that lead nowhere.
import { addressOf } from '../../model/address.ts';
import type { Manifest } from '../../model/desired.ts';
import type { Code, Diagnostic } from '../../model/diagnostic.ts';
import type { Json } from '../../model/json.ts';
import { unescapePointer, valueAt } from '../../model/json.ts';
import type { Accepted, Judgement, Kind, Lint, Registry, SectionItem } from '../../model/kind/kind.ts';
import { declaredKinds } from '../../model/kind/declared.ts';
import { isFieldDeclared, isSectionDeclared, isSectionWhole, itemsOf } from '../../model/kind/section.ts';
import { shapes } from '../generated/shapes.ts';
import type { ParsedDocument } from './parse.ts';
import { PROFILES } from './profile-kinds.ts';
import { placeOf, problemAt, problemAtKey } from './parse.ts';
import { didYouMean, quote } from '../../model/format.ts';
import type { Shape } from '../shape.ts';

/** A document as far as it could be made out; `manifest` only when it is sound by itself. */
export interface Checked {
  readonly document: ParsedDocument;
  readonly kind: string | undefined;
  readonly address: string | undefined;
  readonly manifest: Manifest | undefined;
}

/** Manifests with the name of an earlier one: copies, as a rule. */
export function repeatedNames(checked: readonly Checked[]): readonly Diagnostic[] {
  return repeatedTexts(checked, '/metadata/name', 'HW1301', 'the name');
}

/** Without those that have the name of an earlier one: whatever else they repeat would be told once more for each item. */
export function withoutCopies<Item extends Checked>(checked: readonly Item[]): readonly Item[] {
  const seen = new Set<string>();
  return checked.filter(({ address }) => {
    if (address === undefined) return true;
    const isNew = !seen.has(address);
    seen.add(address);
    return isNew;
  });
}

/** What is wrong between documents. Names and ids are compared even where a document has other mistakes. */
export function meaningProblems(checked: readonly Checked[], registry: Registry): readonly Diagnostic[] {
  return [
    ...repeatedTexts(checked, '/metadata/id', 'HW1302', 'the id'),
    ...repeatedTexts(checked, '/metadata/renamedFrom', 'HW1307', 'the former name'),
    ...formerNames(checked),
    ...repeatedObjects(checked, registry),
    ...checked.flatMap((item) => formerItems(item, registry)),
    ...checked.flatMap((item) => (item.manifest === undefined ? [] : problemsWithin(item, item.manifest, registry))),
  ];
}

/** Pointers of `lifecycle.ignore` that name nothing, or something in a list. */
export function ignoreProblems(
  document: ParsedDocument,
  kind: string | undefined,
  address?: string,
): readonly Diagnostic[] {
  const pointers = valueAt(document.value, '/lifecycle/ignore');
  if (!Array.isArray(pointers)) return [];
  const shape = kind === undefined || !Object.hasOwn(shapes, kind) ? undefined : shapes[kind];
  if (shape?.is !== 'object') return [];
  return pointers.flatMap((pointer: Json, index) => {
    // What is no pointer at all is found by the schema.
    if (typeof pointer !== 'string' || !/^(\/([^~/]|~[01])+)+$/.test(pointer)) return [];
    // They are merged before anything is ignored.
    const { [PROFILES]: _merged, ...fields } = shape.fields.spec?.is === 'object' ? shape.fields.spec.fields : {};
    const problem = follow({ is: 'object', fields }, pointer.split('/').slice(1).map(unescapePointer));
    if (problem === undefined) return [];
    return [
      problemAt(
        document,
        `/lifecycle/ignore/${index}`,
        problem.code,
        `The pointer ${quote(pointer)} ${problem.what}`,
        address,
      ),
    ];
  });
}

function follow(
  start: Shape | undefined,
  tokens: readonly string[],
): { readonly code: 'HW1304' | 'HW1305'; readonly what: string } | undefined {
  let at = start;
  for (const token of tokens) {
    if (at?.is === 'list') return { code: 'HW1305', what: 'names something in a list.' };
    const fields = at?.is === 'object' ? at.fields : {};
    if (!Object.hasOwn(fields, token))
      return {
        code: 'HW1304',
        what: `leads nowhere: there is no ${quote(token)}.${didYouMean(token, Object.keys(fields))}`,
      };
    at = fields[token];
  }
  return undefined;
}

/** Two documents of one kind with the same text at a place. */
function repeatedTexts(
  checked: readonly Checked[],
  pointer: string,
  code: 'HW1301' | 'HW1302' | 'HW1307',
  words: string,
): readonly Diagnostic[] {
  const first = new Map<string, Checked>();
  return checked.flatMap((item) => {
    const text = valueAt(item.document.value, pointer);
    if (typeof text !== 'string' || item.kind === undefined) return [];
    const key = JSON.stringify([item.kind, text]);
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, item);
      return [];
    }
    return [
      problemAt(
        item.document,
        pointer,
        code,
        `${item.kind} manifests with ${words} ${quote(text)} stand here and at ${placeOf(other.document, pointer)}.`,
        item.address,
      ),
    ];
  });
}

/** A former name that some manifest still has: the binding would move away from it. */
function formerNames(checked: readonly Checked[]): readonly Diagnostic[] {
  const byAddress = new Map(
    checked.flatMap((item) => (item.address === undefined ? [] : [[item.address, item] as const])),
  );
  return checked.flatMap((item) => {
    const former = valueAt(item.document.value, '/metadata/renamedFrom');
    if (typeof former !== 'string' || item.kind === undefined) return [];
    const other = byAddress.get(addressOf(null, item.kind, former));
    if (other === undefined) return [];
    const where =
      other === item
        ? 'is its present name'
        : `is the name of the manifest at ${placeOf(other.document, '/metadata/name')}`;
    return [
      problemAt(
        item.document,
        '/metadata/renamedFrom',
        'HW1306',
        `The former name ${quote(former)} ${where}.`,
        item.address,
      ),
    ];
  });
}

/** A former name of an item that another item still has, or had as well. */
function formerItems({ document, manifest, address }: Checked, registry: Registry): readonly Diagnostic[] {
  if (manifest === undefined) return [];
  return declaredKinds(manifest, registry)
    .filter((kind) => kind.renamedBy !== undefined && isSectionWhole(kind, manifest))
    .flatMap((kind) => {
      const items = itemsOf(kind, manifest);
      return items.flatMap(({ spec: { renamedFrom }, pointer }, index) => {
        if (typeof renamedFrom !== 'string') return [];
        const named = items.find(({ name }) => name === renamedFrom);
        const twin = items.slice(0, index).find(({ spec }) => spec.renamedFrom === renamedFrom);
        const other = named ?? twin;
        if (other === undefined) return [];
        const what = `The former name ${quote(renamedFrom)} stands at ${placeOf(document, `/spec${other.pointer}`)} as well.`;
        const code = named === undefined ? 'HW1307' : 'HW1306';
        return [problemAt(document, `/spec${pointer}/renamedFrom`, code, what, address)];
      });
    });
}

/** One live object that two manifests declare, or one manifest twice: each would undo the other. */
function repeatedObjects(checked: readonly Checked[], registry: Registry): readonly Diagnostic[] {
  interface Claimed {
    readonly document: ParsedDocument;
    readonly pointer: string;
  }
  const namespaces = new Map<string, Map<string, Claimed>>();
  const diagnostics: Diagnostic[] = [];
  for (const { document, manifest, address } of checked) {
    if (manifest === undefined) continue;
    const root = registry.get(manifest.kind);
    const declared = declaredKinds(manifest, registry);
    for (const kind of root === undefined ? declared : [root, ...declared]) {
      if (kind.list === 'singleton' || !isSectionWhole(kind, manifest)) continue;
      for (const { name, pointer, claims } of itemsOf(kind, manifest)) {
        // Members of a list that belongs to its parent alone may bear the same names elsewhere.
        const taken = claims ?? (kind.parent === null ? [] : [{ namespace: kind.kind, name: name ?? '' }]);
        for (const claim of taken) {
          const namespace = kind.list === 'additive' ? claim.namespace : `${claim.namespace} of ${address ?? ''}`;
          const names = namespaces.get(namespace) ?? new Map<string, Claimed>();
          if (names.size === 0) namespaces.set(namespace, names);
          const other = names.get(claim.name);
          if (other === undefined) names.set(claim.name, { document, pointer: `/spec${pointer}` });
          else
            diagnostics.push(
              problemAt(
                document,
                `/spec${pointer}`,
                'HW1303',
                `${quote(claim.name)} is declared at ${placeOf(other.document, other.pointer)} already.`,
                address,
              ),
            );
        }
      }
    }
  }
  return diagnostics;
}

/** What a manifest says to no purpose, or against itself. */
function problemsWithin(item: Checked, manifest: Manifest, registry: Registry): readonly Diagnostic[] {
  const found = manifest.spec.unlisted === undefined ? [] : idleUnlisted(item, manifest, registry);
  for (const kind of declaredKinds(manifest, registry)) {
    if (kind.capabilities.move !== undefined) found.push(...movedFromItself(item, manifest, kind));
    if (kind.section.lint !== undefined) found.push(...lintProblems(item, manifest, kind));
  }
  return found;
}

/** `unlisted` speaks about a list; without the list it would do nothing, and nobody would notice. */
function idleUnlisted({ document, address }: Checked, manifest: Manifest, registry: Registry): Diagnostic[] {
  return [...registry.values()].flatMap(({ parent, section }) => {
    const field = section.fields[0];
    if (parent !== manifest.kind || section.unlisted === undefined || field === undefined) return [];
    const pointer = `/unlisted/${section.unlisted}`;
    if (valueAt(manifest.spec, pointer) === undefined || isFieldDeclared(manifest.spec, field)) return [];
    return [
      problemAtKey(
        document,
        `/spec${pointer}`,
        'HW1308',
        `${quote(`unlisted.${section.unlisted}`)} has no effect while ${quote(field)} is not managed.`,
        address,
      ),
    ];
  });
}

/** A consent to take something from where it is declared: there is nothing to move. */
function movedFromItself({ document, address }: Checked, manifest: Manifest, kind: Kind): readonly Diagnostic[] {
  const { move } = kind.capabilities;
  if (move === undefined || !isSectionWhole(kind, manifest)) return [];
  return itemsOf(kind, manifest)
    .filter(({ spec }) => spec[move.consent] === address)
    .map(({ name, pointer }) =>
      problemAt(
        document,
        `/spec${pointer}/${move.consent}`,
        'HW1311',
        `${quote(name ?? '')} is declared in ${address} itself.`,
        address,
      ),
    );
}

/**
 * What a kind has to say of a whole spec: that it contradicts itself, that one thing takes its effect from another, or
 * what is hardly meant and not accepted.
 */
function lintProblems({ document, address }: Checked, manifest: Manifest, kind: Kind): readonly Diagnostic[] {
  if (kind.section.lint === undefined || !isSectionDeclared(kind, manifest.spec)) return [];
  const lints = kind.section.lint(manifest.spec, manifest.name);
  const { told, needless } = withoutAccepted(lints, itemsOf(kind, manifest));
  const problem = (code: Code, pointer: string, what: string): Diagnostic =>
    problemAt(document, `/spec${pointer}`, code, what, address);
  return [
    ...told.map(({ is, pointer, what }) => problem(codeOf(is), pointer, what)),
    // What is not known yet may be what is accepted.
    ...(isSectionWhole(kind, manifest) ? needless : []).map(({ pointer, code }) =>
      problem('HW2712', pointer, `${code} does not occur here, so there is nothing to accept.`),
    ),
  ];
}

interface Needless {
  readonly pointer: string;
  readonly code: Judgement;
}

/** Without what the item accepts that it is about; and what items accept for nothing. One that is off is not judged. */
function withoutAccepted(
  lints: readonly Lint[],
  items: readonly SectionItem[],
): { readonly told: readonly Lint[]; readonly needless: readonly Needless[] } {
  const accepted = items.flatMap(({ pointer, spec: { accept, enabled } }) =>
    ((accept ?? []) as unknown as readonly Accepted[]).map(({ code }, index) => ({
      key: `${pointer} ${code}`,
      needless: { pointer: `${pointer}/accept/${index}/code`, code },
      isJudged: enabled !== false,
    })),
  );
  if (accepted.length === 0) return { told: lints, needless: [] };
  const wanted = new Set(accepted.map(({ key }) => key));
  const used = new Set<string>();
  const told = lints.filter(({ is, pointer }) => {
    // An item of a list, whose pointer ends with its number.
    const key = `${/^.*?\/\d+(?=\/|$)/.exec(pointer)?.[0] ?? pointer} ${is}`;
    if (wanted.has(key)) used.add(key);
    return !wanted.has(key);
  });
  return {
    told,
    needless: accepted.flatMap(({ key, needless, isJudged }) => (isJudged && !used.has(key) ? [needless] : [])),
  };
}

function codeOf(is: Lint['is']): Code {
  return is in LINT_CODES ? LINT_CODES[is as keyof typeof LINT_CODES] : (is as Judgement);
}

const LINT_CODES = {
  contradiction: 'HW1309',
  missing: 'HW1202',
  refused: 'HW1340',
  idle: 'HW1310',
} as const satisfies Record<Exclude<Lint['is'], Judgement>, Code>;
