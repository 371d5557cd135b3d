// The names behind the numbers of Shield, with the aliases where sources disagree, and translates both ways. The API's
// documents name the plans, the WAF modes, the actions and severities; the other names are those of the upstream behind
// it (GAP-28). What is documented by example is open: an unknown number passes through as it is (CNV-36).
import type { Json } from '../../../model/json.ts';

/** Number by name. Of names with one number the first is the one that is shown; the others are aliases. */
export type Names = Readonly<Record<string, number>>;

export const PLANS = { basic: 0, advanced: 1, business: 2, enterprise: 3 } as const; // SHD-06
export const MODES: Names = { log: 0, block: 1 }; // SHD-09
export const DDOS_SENSITIVITIES: Names = { off: 0, low: 1, medium: 2, high: 3, challenge: 4, asleep: 0, extreme: 4 };
export const BOT_MODES: Names = { log: 0, challenge: 1 };
export const BOT_SENSITIVITIES: Names = { off: 0, low: 1, medium: 2, high: 3 };
export const AGGRESSIONS: Names = { low: 1, medium: 2, high: 3, custom: 4 };
export const RULE_ACTIONS: Names = { block: 1, log: 2, challenge: 3, allow: 4, bypass: 5 }; // SHD-13
export const SEVERITIES: Names = { notice: 0, warning: 1, critical: 2 }; // SHD-13
export const LIMIT_ACTIONS: Names = { rateLimit: 1, log: 2, challenge: 3, block: 1 }; // SHD-19
export const COUNTED_BY: Names = { ip: 0, host: 1, country: 2, city: 3, asn: 4, organization: 5, ja4: 6, ipJa4: 7 }; // SHD-19
export const LIST_TYPES: Names = { ip: 0, cidr: 1, asn: 2, country: 3, organization: 4, ja4: 5 };
export const OPERATORS: Names = {
  beginsWith: 0,
  endsWith: 1,
  contains: 2,
  containsWord: 3,
  strMatch: 4,
  eq: 5,
  ge: 6,
  gt: 7,
  le: 8,
  lt: 9,
  within: 12,
  rx: 14,
  strEq: 15,
  detectSqli: 17,
  detectXss: 18,
};
export const TRANSFORMATIONS: Names = {
  cmdLine: 1,
  compressWhitespace: 2,
  cssDecode: 3,
  hexEncode: 4,
  htmlEntityDecode: 5,
  jsDecode: 6,
  length: 7,
  lowercase: 8,
  md5: 9,
  normalizePath: 10,
  normalisePath: 11,
  normalizePathWin: 12,
  normalisePathWin: 13,
  removeComments: 14,
  removeNulls: 15,
  removeWhitespace: 16,
  replaceComments: 17,
  sha1: 18,
  urlDecode: 19,
  urlDecodeUni: 20,
  utf8ToUnicode: 21,
};

/**
 * The name of a number, however it is written; a number without a name is itself; undefined for a text that means
 * nothing known.
 */
export function nameIn(names: Names, value: Json | undefined): string | number | undefined {
  if (typeof value === 'number') return shownOf(names).byNumber.get(value) ?? value;
  if (typeof value !== 'string') return undefined;
  const { byText, byNumber } = shownOf(names);
  const known = byText.get(value) ?? byText.get(plain(value));
  if (known !== undefined) return known;
  return /^\d{1,9}$/.test(value) ? (byNumber.get(Number(value)) ?? Number(value)) : undefined;
}

/** What is shown for a number, and for a name as it stands in the table or without all that may be written otherwise. */
interface ShownNames {
  readonly byNumber: ReadonlyMap<number, string>;
  readonly byText: ReadonlyMap<string, string>;
}

const shownNames = new WeakMap<Names, ShownNames>();

function shownOf(names: Names): ShownNames {
  const known = shownNames.get(names);
  if (known !== undefined) return known;
  const byNumber = new Map<number, string>();
  for (const [name, number] of Object.entries(names)) if (!byNumber.has(number)) byNumber.set(number, name);
  const byText = new Map<string, string>();
  for (const [name, number] of Object.entries(names))
    for (const text of [plain(name), name]) if (!byText.has(text)) byText.set(text, byNumber.get(number) as string);
  const made = { byNumber, byText };
  shownNames.set(names, made);
  return made;
}

/** The number to send. */
export function numberIn(names: Names, value: string | number): number {
  return typeof value === 'number' ? value : (names[value] as number);
}

/** The names of a field that manifests write, brought to the one that is compared; what is absent stays absent. */
export function withNames<Spec extends object>(spec: Spec, fields: Readonly<Record<string, Names>>): Spec {
  const given = spec as Readonly<Record<string, Json>>;
  let renamed: Record<string, Json> | undefined;
  for (const field of Object.keys(fields)) {
    const value = given[field];
    const name = value === undefined ? undefined : nameIn(fields[field] as Names, value);
    if (name !== undefined && name !== value) (renamed ??= { ...given })[field] = name;
  }
  return (renamed ?? given) as Spec;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}
