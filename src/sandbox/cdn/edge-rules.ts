// The edge rules of a site: what is stored, what a written one becomes, how they are listed, made, replaced, switched and
// removed.
import { any, boolean, integer, textOrNull as text } from '../core/http/schema.ts';
import type { Properties, Value } from '../core/http/schema.ts';
import { listOrNull, withoutEmptyTexts } from '../core/present.ts';
import { countCreation, inListOrder } from '../core/world.ts';
import type { World } from '../core/world.ts';
import { done, isRecord, notFound, ok, onItem } from '../core/http/endpoint.ts';
import type { Answer, Call, Row } from '../core/http/endpoint.ts';
import { siteEndpoints } from '../core/http/site-endpoints.ts';
import { nextId } from '../core/state.ts';
import type { Site } from '../core/state.ts';

class EdgeAction {
  ActionType = 0;
  ActionParameter1: string | null = null;
  ActionParameter2: string | null = null;
  ActionParameter3: string | null = null;
}

class EdgeTrigger {
  Type = 0;
  PatternMatchingType = 0;
  Parameter1: string | null = null;
  PatternMatches: string[] = [];
}

/** What a write may leave out; null there reads as left out. */
class WrittenRule extends EdgeAction {
  TriggerMatchingType = 0;
  Description: string | null = null;
  Enabled = false;
  OrderIndex: number | null = null;
  Triggers: EdgeTrigger[] = [];
  ExtraActions: EdgeAction[] = [];
}

/** Under the keys that the CDN behind the platform gives them. */
export interface EdgeRule extends WrittenRule {
  readonly Guid: string;
  OrderIndex: number;
}

/** GAP-25: the prefix of the platform's own rules is reserved and not documented; nobody can know it from outside. */
export const SYSTEM_PREFIX = '[platform] ';

function isSystemRule(rule: EdgeRule): boolean {
  return rule.Description?.startsWith(SYSTEM_PREFIX) ?? false;
}

/** Puts a rule on a site without any of the checks of the API. */
export function addEdgeRule(
  site: { edgeRules: EdgeRule[] },
  given: Pick<EdgeRule, 'Guid'> & Partial<EdgeRule>,
): EdgeRule {
  const rule = { ...new WrittenRule(), Enabled: true, OrderIndex: site.edgeRules.length, ...given };
  site.edgeRules.push(rule);
  return rule;
}

const orNull = (value: Value): Value => ({ ...value, nullable: true });
const ACTION: Properties = {
  // EDG-02: an action type is 0 to 34.
  ActionType: orNull(integer(0, 34)),
  ActionParameter1: text,
  ActionParameter2: text,
  ActionParameter3: text,
};
// EDG-05: triggers and extra actions have their own four keys.
const TRIGGER: Properties = {
  // EDG-04: a trigger type is 0 to 13.
  Type: orNull(integer(0, 13)),
  PatternMatchingType: orNull(integer(0, 2)),
  Parameter1: text,
  PatternMatches: {
    ...list({ type: 'string' }),
    maxItems: 5,
    // The wording is the CDN's: what it calls "triggers per condition" are the matches of one trigger.
    tooMany: 'An edge rule can have at most 5 triggers per condition',
  },
};
const EDGE_RULE: Properties = {
  Guid: text,
  ...ACTION,
  // EDG-03: matching is 0 any, 1 all, 2 none.
  TriggerMatchingType: orNull(integer(0, 2)),
  Description: text,
  Enabled: orNull(boolean),
  OrderIndex: orNull(integer(0)),
  // EDG-06: at most five triggers of five matches (LIM-03). EDG-06/first: the number of triggers is checked first.
  Triggers: {
    ...list({ type: 'object', properties: TRIGGER }),
    maxItems: 5,
    tooMany: 'An edge rule can have at most 5 conditions',
  },
  ExtraActions: list({ type: 'object', properties: ACTION }),
};

function list(items: Value): Value {
  return { type: 'array', nullable: true, items };
}

/** The rule that these fields say. */
export function readEdgeRule(fields: Row): WrittenRule {
  const { Triggers, ExtraActions, ...rule } = filled(new WrittenRule(), fields);
  return {
    ...rule,
    Triggers: Triggers.map((one) => filled(new EdgeTrigger(), { ...one })),
    ExtraActions: ExtraActions.map((one) => filled(new EdgeAction(), { ...one })),
  };
}

/** Its own keys with what the fields have of them. */
function filled<Everyday extends object>(everyday: Everyday, fields: Row): Everyday {
  return Object.fromEntries(
    Object.entries(everyday).map(([key, usual]) => [key, fields[key] ?? (usual as unknown)]),
  ) as Everyday;
}

/** As the list shows it. EDG-01: the keys of an edge rule are capitalised. */
function showEdgeRule(world: World, stored: EdgeRule): Row {
  const { Triggers, ExtraActions, ...flat } = stored;
  return {
    ...withoutEmptyTexts(world, flat),
    Triggers: listOrNull(
      world,
      Triggers.map((one) => ({
        ...withoutEmptyTexts(world, { ...one }),
        PatternMatches: listOrNull(world, one.PatternMatches),
      })),
    ),
    ExtraActions: listOrNull(
      world,
      ExtraActions.map((one) => withoutEmptyTexts(world, { ...one })),
    ),
  };
}

function listRules(call: Call, site: Site): Answer {
  // EDG-08: the platform's own rules are not listed.
  const visible = site.edgeRules.filter((one) => !isSystemRule(one));
  const rows = inListOrder(call, visible).map((one) => showEdgeRule(call, one));
  const shown = { bare: rows, wrapped: { edge_rules: rows }, upstream: { EdgeRules: rows } };
  return ok(shown[call.ambiguities['GAP-23']]);
}

function saveRule(call: Call, site: Site): Answer {
  const fields = call.body['edge_rule'] as Row;
  const written = readEdgeRule(fields);
  const guid = fields['Guid'];
  // EDG-11: a POST that carries a Guid updates that rule in place.
  if (typeof guid !== 'string') return create(call, site, written, nextId(call.state));
  const stored = site.edgeRules.find((one) => one.Guid === guid);
  if (stored !== undefined) return isSystemRule(stored) ? notFound() : replace(call, site, stored, written, 201);
  const reading = call.ambiguities['GAP-25.guid'];
  if (reading === 'refuse') notFound();
  return create(call, site, written, reading === 'create' ? guid : nextId(call.state));
}

function replaceRule(call: Call, site: Site, stored: EdgeRule): Answer {
  const fields = isWrapped(call) ? (call.body['edge_rule'] as Row) : call.body;
  return replace(call, site, stored, readEdgeRule(fields), 200);
}

/** GAP-24: only the POST documents its wrapper. */
function isWrapped({ body, ambiguities }: Call): boolean {
  const reading = ambiguities['GAP-24'];
  return reading === 'wrapped' || (reading === 'either' && isRecord(body['edge_rule']));
}

function create(world: World, site: Site, written: WrittenRule, guid: string): Answer {
  const stored = { ...written, Guid: guid, OrderIndex: orderIndex(world, site, written) };
  // EDG-10: the same rule made again is a second rule.
  site.edgeRules.push(stored);
  countCreation(world, `edge rule ${written.Description ?? JSON.stringify(written)} on ${site.id}`);
  renumber(world, site);
  return answerWritten(world, stored, 201);
}

function replace(world: World, site: Site, stored: EdgeRule, written: WrittenRule, status: number): Answer {
  // EDG-12: a replacement clears what it leaves out.
  Object.assign(stored, written, { OrderIndex: orderIndex(world, site, written) });
  renumber(world, site);
  return answerWritten(world, stored, status);
}

/** GAP-25: what the index is where none is written is not documented. */
function orderIndex(world: World, site: Site, { OrderIndex }: WrittenRule): number {
  if (OrderIndex !== null) return OrderIndex;
  return world.ambiguities['GAP-25'] === 'zero' ? 0 : Math.max(-1, ...site.edgeRules.map((one) => one.OrderIndex)) + 1;
}

function renumber(world: World, site: Site): void {
  if (world.ambiguities['GAP-25.order'] === 'kept') return;
  [...site.edgeRules]
    .sort((left, right) => left.OrderIndex - right.OrderIndex)
    .forEach((one, index) => {
      one.OrderIndex = index;
    });
}

function answerWritten(world: World, stored: EdgeRule, status: number): Answer {
  const rule = showEdgeRule(world, stored);
  return ok({ rule, wrapped: { edge_rule: rule }, empty: undefined }[world.ambiguities['GAP-23.write']], status);
}

function toggleRule(call: Call, _site: Site, stored: EdgeRule): Answer {
  stored.Enabled = call.body['enabled'] === true;
  // EDG-13: the switch changes Enabled and nothing else.
  return done(call, showEdgeRule(call, stored));
}

function removeRule(call: Call, site: Site, stored: EdgeRule): Answer {
  // EDG-14: a removed rule answers 204 and is gone.
  site.edgeRules = site.edgeRules.filter((one) => one !== stored);
  renumber(call, site);
  return { status: 204 };
}

// EDG-08/locked: the platform's own rules cannot be changed.
const onRule = onItem(({ params }, { edgeRules }: Site) =>
  edgeRules.find((one) => one.Guid === params['rule'] && !isSystemRule(one)),
);

const WRAPPED: Properties = {
  edge_rule: { type: 'object', required: true, properties: EDGE_RULE, status: 400, message: 'edge_rule is missing' },
};

/** EDG-07: the list answers at once. EDG-18: without a pull zone 409, where the CDN fails 502. */
export const edgeRuleEndpoints = siteEndpoints({ cdn: 'active' }, '/edge_rules', {
  GET: listRules,
  // EDG-09: a rule is made from the wrapper `edge_rule`, and answers 201.
  POST: { body: WRAPPED, handle: saveRule },
  'PATCH /:rule': {
    body: (call) => (isWrapped(call) ? WRAPPED : { ...EDGE_RULE, edge_rule: any }),
    handle: onRule(replaceRule),
  },
  'PATCH /:rule/enabled': { body: { enabled: { ...boolean, required: true } }, handle: onRule(toggleRule) },
  'DELETE /:rule': onRule(removeRule),
});
