// How the kinds of this area are worded for people. Of an edge rule that is what a manifest says, and not what is sent.
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, sameJson } from '../../model/json.ts';
import type { WordsOf } from '../../model/kind/words.ts';
import type { Action, Change } from '../../model/plan/plan.ts';
import type { RawAction, RawTrigger } from './kinds/edge-rule/written.ts';
import { ACTION_WORDS, writeAction, writeTrigger } from './kinds/edge-rule/written.ts';

export const cdnWords: WordsOf = {
  Caching: { alsoCalled: ['cache', 'cdn'] },
  CachePurge: { noun: 'purge of the CDN cache' },
  EdgeRule: { alsoCalled: ['rule', 'edge', 'redirect'], value: valueInWords, changes: changesInWords },
};

const PARAMETERS = ['parameter1', 'parameter2', 'parameter3'] as const;

function changesInWords(action: Pick<Action, 'changes' | 'steps'>): readonly Change[] {
  const { changes } = action;
  const parts = changes.filter(({ path }) => path.startsWith('/action/'));
  const whole = parts.length === 0 ? undefined : wholeAction(action, parts);
  return changes.flatMap((change): readonly Change[] => {
    if (whole === undefined || !parts.includes(change)) return [inWords(change)];
    return change === parts[0] ? whole : [];
  });
}

function valueInWords(path: string, value: Json): Json {
  if (path === '/action') return isAction(value) ? writeAction(value) : value;
  if (!Array.isArray(value)) return value;
  const items = value as readonly Json[];
  if (path === '/extraActions' && items.every(isAction)) return items.map(writeAction);
  if (path === '/triggers' && items.every(isTrigger)) return items.map(writeTrigger);
  return items;
}

function inWords(change: Change): Change {
  const { path, was, value } = change;
  return {
    ...change,
    ...(was !== undefined && { was: valueInWords(path, was) }),
    ...(value !== undefined && { value: valueInWords(path, value) }),
  };
}

/**
 * The changed parameters of an action, each as a change of its own. What a parameter means depends on the type of the
 * action, which is taken from the request. undefined where one of the two sides cannot be put into words.
 */
function wholeAction({ steps }: Pick<Action, 'steps'>, parts: readonly Change[]): readonly Change[] | undefined {
  const after = sentAction(steps);
  if (after === undefined) return undefined;
  const before = parts.reduce<Record<string, Json>>(
    (sides, { path, was }) => ({ ...sides, [path.slice('/action/'.length)]: was ?? '' }),
    { ...after } as unknown as Record<string, Json>,
  );
  if (!isAction(before)) return undefined;
  const [old, next] = [writeAction(before), writeAction(after)];
  if (Object.hasOwn(old, 'type') && Object.hasOwn(next, 'type')) return undefined;
  const [word] = Object.keys(next);
  const [was, value] = [old[word as string], next[word as string]];
  if (!isJsonObject(was) || !isJsonObject(value)) return [{ op: 'replace', path: '/action', was: old, value: next }];
  return [...new Set([...Object.keys(was), ...Object.keys(value)])]
    .filter((key) => !sameJson(was[key], value[key]))
    .map((key) => ({
      op: value[key] === undefined ? 'remove' : was[key] === undefined ? 'add' : 'replace',
      path: `/action/${word as string}/${key}`,
      ...(was[key] !== undefined && { was: was[key] }),
      ...(value[key] !== undefined && { value: value[key] }),
    }));
}

/** The action that a request writes. A request holds all of it (EDG-12). */
function sentAction(steps: Action['steps']): RawAction | undefined {
  const bodies = steps.flatMap((step) => (step.do === 'request' ? [step.body] : []));
  const [rule] = bodies.flatMap((body) => {
    const one = (body as { readonly edge_rule?: Json } | undefined)?.edge_rule;
    return isJsonObject(one) ? [one] : [];
  });
  const type = Object.values(ACTION_WORDS).find(({ number }) => number === rule?.ActionType)?.type ?? rule?.ActionType;
  const texts = PARAMETERS.map((_, index) => rule?.[`ActionParameter${index + 1}`]);
  const action: JsonObject = {
    type: type ?? null,
    ...Object.fromEntries(PARAMETERS.map((key, at) => [key, texts[at] ?? null])),
  };
  return isAction(action) ? action : undefined;
}

function isAction(value: Json): value is JsonObject & RawAction {
  return (
    isJsonObject(value) &&
    (typeof value.type === 'string' || typeof value.type === 'number') &&
    PARAMETERS.every((key) => value[key] === undefined || typeof value[key] === 'string')
  );
}

function isTrigger(value: Json): value is JsonObject & RawTrigger {
  return (
    isJsonObject(value) &&
    (typeof value.type === 'string' || typeof value.type === 'number') &&
    Array.isArray(value.patterns) &&
    (value.patterns as readonly Json[]).every((pattern) => typeof pattern === 'string') &&
    (value.parameter1 === undefined || typeof value.parameter1 === 'string')
  );
}
