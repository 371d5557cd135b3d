// What `explain` was asked for: a kind or a field, a diagnostic code, a rule of the platform, a word of a plan.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { Explained, ExplainedCode, ExplainedRule, ExplainedWord } from '../../model/explained.ts';
import { listOf, nearest, quote } from '../../model/format.ts';
import type { Schemas } from './explain.ts';
import { explain } from './explain.ts';
import { codes } from './generated/codes.ts';
import { rules } from './generated/rules.ts';
import { explainWord } from './words.ts';

/** What there is to say, or why there is nothing. */
export type Answer =
  | { readonly page: Explained }
  | { readonly code: ExplainedCode }
  | { readonly rule: ExplainedRule }
  | { readonly word: ExplainedWord }
  | { readonly problem: Diagnostic };

const MOST_NAMED = 6;

/**
 * Answers by the form of the words: `HW2204` and `2204` are codes, `O-18` and `(sit-7)` are rules. Anything else is a
 * path of fields, or else a word of a plan: `EXPOSES`.
 */
export function answer(schemas: Schemas, asked: string): Answer {
  const word = asked.trim().replace(/^[([`'"]+|[)\]`'".,:;]+$/g, '');
  const digits = /^(?:hw[\s_-]?)?(\d{4})$/i.exec(word)?.[1];
  if (digits !== undefined) return codeOf(`HW${digits}`);
  if (/^hw[\s_-]?\d*$/i.test(word)) return codeOf(`HW${word.replace(/\D/g, '')}`);
  const [, family, number] = /^([a-z]{1,3})[\s_-]?(\d{1,3})$/i.exec(word) ?? [];
  if (family !== undefined && number !== undefined) return ruleOf(family.toUpperCase(), number.padStart(2, '0'));
  const found = explain(schemas, word);
  if (!('problem' in found)) return { page: found };
  const known = explainWord(word);
  return known === undefined ? found : { word: known };
}

function codeOf(code: string): Answer {
  const found = codes[code];
  if (found !== undefined) return { code: found };
  const near = Object.keys(codes).filter((one) => one.startsWith(code.slice(0, 4)));
  return unknown(`There is no diagnostic with the code ${quote(code)}.`, nearestFirst(near, code));
}

function ruleOf(family: string, number: string): Answer {
  const id = `${family}-${number}`;
  const found = rules[id];
  if (found !== undefined) return { rule: found };
  const ids = Object.keys(rules);
  const near = ids.filter((one) => one.startsWith(`${family}-`));
  return unknown(`No plan cites a rule ${quote(id)}.`, nearestFirst(near.length === 0 ? likely(id, ids) : near, id));
}

function likely(id: string, ids: readonly string[]): readonly string[] {
  const match = nearest(id, ids);
  return match === undefined ? [] : [match];
}

/** Those whose number is nearest to that of another one, in order. */
function nearestFirst(names: readonly string[], wanted: string): readonly string[] {
  const distance = (name: string): number => Math.abs(numberIn(name) - numberIn(wanted));
  return [...names]
    .sort((left, right) => distance(left) - distance(right))
    .slice(0, MOST_NAMED)
    .sort();
}

function numberIn(name: string): number {
  return Number(name.replace(/\D/g, ''));
}

function unknown(what: string, near: readonly string[]): Answer {
  const names = near.length === 0 ? '' : ` Did you mean ${listOf(near)}?`;
  return {
    problem: diagnose('HW6541', `${what}${names} \`hostwright explain\` lists the kinds of manifests.`),
  };
}
