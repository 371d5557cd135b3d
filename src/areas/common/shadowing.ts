// Which rules an earlier one shadows: it takes all that they take. What is not surely so counts as not so.
import type { Conditions, Trigger } from './conditions.ts';
import { isLua, matchesEverything, matchesPattern } from './conditions.ts';

/** The conditions of a rule, worked out once. */
interface Compared<Rule> {
  readonly rule: Rule;
  readonly match: string | number;
  readonly triggers: readonly ComparedTrigger[];
  readonly isEverything: boolean;
}

interface ComparedTrigger {
  /** All of it in one text. */
  readonly same: string;
  /** What it looks at, where any of its patterns is enough; else it is only like the same one. */
  readonly looksAt?: string;
  readonly patterns: readonly string[];
}

/** So many rules are compared with one that looks like them: thousands of alike ones must not take minutes. */
const COMPARED = 64;

/**
 * For each rule the earlier one that takes all that it takes and passes the test. Rules are looked up by their patterns,
 * so a long list takes little more than its length; where very many look alike, one may be missed.
 */
export function shadowingRules<Rule extends Conditions>(
  rules: readonly Rule[],
  test: (earlier: Rule, later: Rule) => boolean,
): readonly (Rule | undefined)[] {
  const everything: Compared<Rule>[] = [];
  const index = new TriggerIndex<Compared<Rule>>();
  return rules.map((rule) => {
    const later = compared(rule);
    const candidates = new Set(everything);
    // Of a rule for which any of them is enough each has to be taken, so it is found by one.
    for (const trigger of later.match === 'any' ? later.triggers.slice(0, 1) : later.triggers)
      index.find(trigger, candidates);
    let found: Rule | undefined;
    for (const earlier of candidates)
      if (takesAll(earlier, later) && test(earlier.rule, rule)) {
        found = earlier.rule;
        break;
      }
    if (later.isEverything && everything.length < COMPARED) everything.push(later);
    // One that needs all of its triggers is found by any of them: by the one that fewest others have.
    const by =
      later.match === 'any'
        ? later.triggers
        : later.triggers.toSorted((left, right) => index.rarer(left, right)).slice(0, 1);
    for (const trigger of by) index.add(trigger, later);
    return found;
  });
}

/** True when the one surely matches every request that the other matches (EDG-03). */
export function matchesAll(wide: Conditions, narrow: Conditions): boolean {
  return takesAll(compared(wide), compared(narrow));
}

function compared<Rule extends Conditions>(rule: Rule): Compared<Rule> {
  const { match = 'any', triggers = [] } = rule;
  return {
    rule,
    // All of one is any of one.
    match: match === 'all' && triggers.length === 1 ? 'any' : match,
    triggers: triggers.map(comparedTrigger),
    isEverything: matchesEverything(rule),
  };
}

function comparedTrigger({ type, match = 'any', patterns, parameter1 = '' }: Trigger): ComparedTrigger {
  const looksAt = `${type} ${parameter1}`;
  const sorted = patterns.length > 1 ? [...patterns].sort() : patterns;
  return { same: `${looksAt} ${match} ${sorted.join('\n')}`, ...(match === 'any' && { looksAt }), patterns };
}

function takesAll<Rule>(wide: Compared<Rule>, narrow: Compared<Rule>): boolean {
  if (wide.isEverything) return true;
  const [all, some] = [wide.triggers, narrow.triggers];
  if (all.length === 0 || some.length === 0) return all.length === some.length && wide.match === narrow.match;
  if (wide.match === 'any' && narrow.match === 'all')
    return some.some((one) => all.some((wider) => takesTrigger(wider, one)));
  if (wide.match !== narrow.match) return false;
  if (wide.match === 'any') return some.every((one) => all.some((wider) => takesTrigger(wider, one)));
  if (wide.match === 'all') return all.every((wider) => some.some((one) => takesTrigger(wider, one)));
  return all.length === some.length && all.every(({ same }) => some.some((one) => one.same === same));
}

function takesTrigger(wide: ComparedTrigger, narrow: ComparedTrigger): boolean {
  if (wide.same === narrow.same) return true;
  if (wide.looksAt === undefined || wide.looksAt !== narrow.looksAt || narrow.patterns.length === 0) return false;
  return narrow.patterns.every((pattern) => wide.patterns.some((wider) => takesPattern(wider, pattern)));
}

/** True when every text that the narrow pattern matches is one that the wide one matches. */
function takesPattern(wide: string, narrow: string): boolean {
  if (wide === narrow) return true;
  return !isLua(wide) && !isLua(narrow) && matchesPattern(wide, narrow);
}

function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else if (list.length < COMPARED) list.push(item);
}

/** Items by their triggers, found by a trigger that they may take. */
class TriggerIndex<Item> {
  readonly #counts = new Map<string, number>();
  readonly #alike = new Map<string, Item[]>();
  readonly #wider = new Map<string, WiderPatterns<Item>>();

  /** By how many have the same. */
  readonly rarer = (left: ComparedTrigger, right: ComparedTrigger): number =>
    (this.#counts.get(left.same) ?? 0) - (this.#counts.get(right.same) ?? 0);

  add({ same, looksAt, patterns }: ComparedTrigger, item: Item): void {
    this.#counts.set(same, (this.#counts.get(same) ?? 0) + 1);
    if (looksAt === undefined || patterns.length === 0) return addTo(this.#alike, same, item);
    const wider = this.#wider.get(looksAt) ?? new WiderPatterns<Item>();
    this.#wider.set(looksAt, wider);
    for (const pattern of patterns) wider.add(pattern, item);
  }

  find({ same, looksAt, patterns: [pattern] }: ComparedTrigger, found: Set<Item>): void {
    for (const item of this.#alike.get(same) ?? []) found.add(item);
    if (looksAt !== undefined && pattern !== undefined) this.#wider.get(looksAt)?.find(pattern, found);
  }
}

/** Texts are looked up by their last so many characters. */
const TAIL = 12;

/** Items by the longest text in their patterns that stands for itself: what a pattern takes has that text in it. */
class WiderPatterns<Item> {
  readonly #whole = new Map<string, Item[]>();
  readonly #parts = new Map<string, Item[]>();
  /** By their length, the ends of parts, and which parts end so. */
  readonly #tails = new Map<number, Map<string, string[]>>();

  add(pattern: string, item: Item): void {
    if (!pattern.includes('*')) return addTo(this.#whole, pattern, item);
    const text = pattern.split('*').reduce((longest, part) => (part.length > longest.length ? part : longest));
    if (!this.#parts.has(text)) {
      const tail = text.slice(-TAIL);
      const tails = this.#tails.get(tail.length) ?? new Map<string, string[]>();
      addTo(tails, tail, text);
      this.#tails.set(tail.length, tails);
    }
    addTo(this.#parts, text, item);
  }

  find(pattern: string, found: Set<Item>): void {
    for (const item of this.#whole.get(pattern) ?? []) found.add(item);
    for (const [length, tails] of this.#tails)
      for (let end = length; end <= pattern.length; end += 1)
        for (const text of tails.get(pattern.slice(end - length, end)) ?? [])
          if (pattern.endsWith(text, end)) for (const item of this.#parts.get(text) ?? []) found.add(item);
  }
}
