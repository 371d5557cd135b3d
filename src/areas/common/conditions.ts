// When the conditions of one rule take all that those of another take. What is not surely so counts as not so.
import type { Json } from '../../model/json.ts';
import { sameJson } from '../../model/json.ts';

export interface Trigger {
  readonly type: string | number;
  readonly match?: string | number;
  /** `*` stands for any text. */
  readonly patterns: readonly string[];
  readonly parameter1?: string;
}

export interface Conditions {
  readonly match?: string | number;
  readonly triggers?: readonly Trigger[];
}

/** Patterns that no request escapes, by the type of the trigger. */
const EVERYTHING: Readonly<Record<string | number, readonly string[]>> = {
  Url: ['*', '/*', '*/*', '*://*', '*://*/*'],
  RandomChance: ['100'],
  REQUEST_URI: ['*', '/*', '*/*'],
};

/** True when no request is outside of these conditions. */
export function matchesEverything({ match = 'any', triggers = [] }: Conditions): boolean {
  if (match === 'any') return triggers.some(isEverything);
  return match === 'all' && triggers.length > 0 && triggers.every(isEverything);
}

function isEverything({ type, match = 'any', patterns }: Trigger): boolean {
  const isOne = (pattern: string): boolean => EVERYTHING[type]?.includes(pattern) === true;
  if (match === 'any') return patterns.some(isOne);
  return match === 'all' && patterns.length > 0 && patterns.every(isOne);
}

/** True when the one surely matches every request that the other matches (EDG-03). */
export function matchesAll(wide: Conditions, narrow: Conditions): boolean {
  if (matchesEverything(wide)) return true;
  const [all, some] = [wide.triggers ?? [], narrow.triggers ?? []];
  const [match, other] = [matchOf(wide), matchOf(narrow)];
  if (all.length === 0 || some.length === 0) return all.length === some.length && match === other;
  if (match === 'any' && other === 'all') return some.some((one) => all.some((wider) => takesAll(wider, one)));
  if (match !== other) return false;
  if (match === 'any') return some.every((one) => all.some((wider) => takesAll(wider, one)));
  if (match === 'all') return all.every((wider) => some.some((one) => takesAll(wider, one)));
  return all.length === some.length && all.every((one) => some.some((same) => isSameTrigger(one, same)));
}

/** All of one is any of one. */
function matchOf({ match = 'any', triggers = [] }: Conditions): string | number {
  return match === 'all' && triggers.length === 1 ? 'any' : match;
}

/** The same for one trigger. */
function takesAll(wide: Trigger, narrow: Trigger): boolean {
  if (isSameTrigger(wide, narrow)) return true;
  const isAny = ({ match = 'any' }: Trigger): boolean => match === 'any';
  if (kindOf(wide) !== kindOf(narrow) || !isAny(wide) || !isAny(narrow) || narrow.patterns.length === 0) return false;
  return narrow.patterns.every((pattern) => wide.patterns.some((wider) => takesPattern(wider, pattern)));
}

function isSameTrigger(left: Trigger, right: Trigger): boolean {
  return sameJson(plain(left), plain(right));
}

function plain({ type, match = 'any', patterns, parameter1 = '' }: Trigger): Json {
  return [type, match, [...patterns].sort(), parameter1];
}

function kindOf({ type, parameter1 = '' }: Trigger): string {
  return `${type} ${parameter1}`;
}

/** True when every text that the narrow pattern matches is one that the wide one matches. */
function takesPattern(wide: string, narrow: string): boolean {
  if (wide === narrow) return true;
  return !isLua(wide) && !isLua(narrow) && matchesPattern(wide, narrow);
}

/** A Lua pattern, which nothing here reads. */
export function isLua(pattern: string): boolean {
  return pattern.startsWith('pattern:');
}

/** True when a pattern, in which `*` stands for any text, matches the whole of a text. */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined) return text === pattern;
  const end = text.length - last.length;
  if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** So many rules are compared with one that looks like them: thousands of alike ones must not take minutes. */
const COMPARED = 64;

/**
 * For each rule the earlier one that takes all that it takes and passes the test. Rules are looked up by their patterns,
 * so a long list takes little more than its length; where very many look alike, one may be missed.
 */
export function earlierAndWider<Rule extends Conditions>(
  rules: readonly Rule[],
  test: (earlier: Rule, later: Rule) => boolean,
): readonly (Rule | undefined)[] {
  const everything: Rule[] = [];
  const same = new Map<string, Rule[]>();
  const wider = new Map<string, WiderPatterns<Rule>>();
  return rules.map((later) => {
    const triggers = later.triggers ?? [];
    const candidates = new Set(everything);
    for (const trigger of triggers) {
      for (const one of same.get(JSON.stringify(plain(trigger))) ?? []) candidates.add(one);
      const [pattern] = trigger.patterns;
      if (pattern !== undefined) wider.get(kindOf(trigger))?.find(pattern, candidates);
    }
    const found = [...candidates].find((earlier) => matchesAll(earlier, later) && test(earlier, later));
    if (matchesEverything(later)) addTo(everything, later);
    for (const trigger of triggers) {
      const key = JSON.stringify(plain(trigger));
      same.set(key, addTo(same.get(key) ?? [], later));
      const patterns = wider.get(kindOf(trigger)) ?? new WiderPatterns<Rule>();
      wider.set(kindOf(trigger), patterns);
      for (const pattern of trigger.patterns) patterns.add(pattern, later);
    }
    return found;
  });
}

function addTo<Item>(list: Item[], item: Item): Item[] {
  if (list.length < COMPARED) list.push(item);
  return list;
}

/** Items by the longest text in their patterns that stands for itself: what a pattern takes has that text in it. */
class WiderPatterns<Item> {
  readonly #byLength = new Map<number, Map<string, Item[]>>();

  add(pattern: string, item: Item): void {
    const text = pattern.split('*').reduce((longest, part) => (part.length > longest.length ? part : longest));
    const texts = this.#byLength.get(text.length) ?? new Map<string, Item[]>();
    this.#byLength.set(text.length, texts.set(text, addTo(texts.get(text) ?? [], item)));
  }

  find(pattern: string, found: Set<Item>): void {
    for (const [length, texts] of this.#byLength)
      for (let at = 0; at + length <= pattern.length; at += 1)
        for (const item of texts.get(pattern.slice(at, at + length)) ?? []) found.add(item);
  }
}
