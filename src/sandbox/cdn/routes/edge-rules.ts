// How edge rules are listed, made, replaced, switched and removed.
import { EDGE_RULE, readEdgeRule, showEdgeRule } from '../edge-rules.ts';
import type { WrittenRule } from '../edge-rules.ts';
import { any, boolean } from '../../core/http/schema.ts';
import type { Properties } from '../../core/http/schema.ts';
import { done, isRecord, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call, Row } from '../../core/http/endpoint.ts';
import { siteEndpoints } from '../../core/http/table.ts';
import { isSystemRule } from '../state.ts';
import type { EdgeRule } from '../state.ts';
import { nextId } from '../../core/state.ts';
import type { Site } from '../../core/state.ts';
import { countCreation, inListOrder } from '../../core/world.ts';
import type { World } from '../../core/world.ts';

function listRules(call: Call, site: Site): Answer {
  const { world } = call;
  // EDG-08: the platform's own rules are not listed.
  const visible = site.edgeRules.filter((one) => !isSystemRule(one));
  const rows = inListOrder(world, visible).map((one) => showEdgeRule(world, one));
  switch (world.ambiguities['GAP-23']) {
    case 'bare':
      return ok(rows);
    case 'wrapped':
      return ok({ edge_rules: rows });
    case 'upstream':
      return ok({ EdgeRules: rows });
  }
}

function saveRule(call: Call, site: Site): Answer {
  const { world, body } = call;
  const fields = body['edge_rule'] as Row;
  const written = readEdgeRule(fields);
  const guid = fields['Guid'];
  // EDG-11: a POST that carries a Guid updates that rule in place.
  if (typeof guid !== 'string') return create(world, site, written, nextId(world.state));
  const stored = site.edgeRules.find((one) => one.Guid === guid);
  if (stored !== undefined) return editable(stored) ? replace(world, site, stored, written, 201) : notFound();
  switch (world.ambiguities['GAP-25.guid']) {
    case 'refuse':
      return notFound();
    case 'create':
      return create(world, site, written, guid);
    case 'create-anew':
      return create(world, site, written, nextId(world.state));
  }
}

function replaceRule(call: Call, site: Site): Answer {
  const { world, body } = call;
  const stored = findRule(call, site);
  if (stored === undefined) return notFound();
  const fields = isWrapped(call) ? (body['edge_rule'] as Row) : body;
  return replace(world, site, stored, readEdgeRule(fields), 200);
}

/** GAP-24: only the POST documents its wrapper. */
function isWrapped({ world, body }: Call): boolean {
  const reading = world.ambiguities['GAP-24'];
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
  switch (world.ambiguities['GAP-23.write']) {
    case 'rule':
      return ok(showEdgeRule(world, stored), status);
    case 'wrapped':
      return ok({ edge_rule: showEdgeRule(world, stored) }, status);
    case 'empty':
      return { status };
  }
}

function toggleRule(call: Call, site: Site): Answer {
  const { world, body } = call;
  const stored = findRule(call, site);
  if (stored === undefined) return notFound();
  stored.Enabled = body['enabled'] === true;
  // EDG-13: the switch changes Enabled and nothing else.
  return done(world, showEdgeRule(world, stored));
}

function removeRule(call: Call, site: Site): Answer {
  const { world } = call;
  const stored = findRule(call, site);
  if (stored === undefined) return notFound();
  // EDG-14: a removed rule answers 204 and is gone.
  site.edgeRules = site.edgeRules.filter((one) => one !== stored);
  renumber(world, site);
  return { status: 204 };
}

function findRule({ params }: Call, site: Site): EdgeRule | undefined {
  return site.edgeRules.find((one) => one.Guid === params['rule'] && editable(one));
}

function editable(stored: EdgeRule): boolean {
  // EDG-08/locked: the platform's own rules cannot be changed.
  return !isSystemRule(stored);
}

function notFound(): Answer {
  return refuse(404, null, 'Not Found');
}

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
    handle: replaceRule,
  },
  'PATCH /:rule/enabled': { body: { enabled: { ...boolean, required: true } }, handle: toggleRule },
  'DELETE /:rule': removeRule,
});
