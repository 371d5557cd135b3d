// Which of the kinds that `get` shows a word means.
import type { GetKind, GetOption } from '../../model/shown.ts';
import { GET_OPTIONS } from '../../model/shown.ts';
import { GET_KINDS } from './generated/kinds.ts';

export { GET_KINDS };

/** Upper case, hyphens and the word `domain` of manifests weigh nothing: `PanelAccount` is `panel-account`. */
const plain = (name: string): string => name.toLowerCase().replace(/[-_]/g, '');

/** The kind that is called so; undefined where there is none. */
export function findGetKind(name: string): GetKind | undefined {
  return GET_KINDS.find((known) => namesOf(known).some((one) => plain(one) === plain(name)));
}

/** Returns the given options that the kind does not take. */
export function misfitsOf(
  { takes }: GetKind,
  options: Readonly<Partial<Record<GetOption, unknown>>>,
): readonly GetOption[] {
  return GET_OPTIONS.filter((one) => options[one] !== undefined && !takes.includes(one));
}

/** Every name that a kind answers to. */
export function namesOf({ kind, singular, short, manifest }: GetKind): readonly string[] {
  return [kind, singular, ...short, ...(manifest === undefined ? [] : [manifest, `${manifest}s`])];
}

/** What it is called beside its plural, for people. */
export function otherNames({ kind, singular, short }: GetKind): string {
  return [singular, ...short].filter((name) => name !== kind).join(', ');
}
