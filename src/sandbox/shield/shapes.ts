// How Shield's things are spelled and wrapped on the wire, where the documents do not show it (GAP-29).
import { withoutEmptyTexts } from '../core/present.ts';
import { isRecord, ok } from '../core/http/endpoint.ts';
import type { Answer, Row } from '../core/http/endpoint.ts';
import type { World } from '../core/world.ts';
import type { ConfiguredItem, ShieldItem } from './state.ts';

/** All keys, at any depth, in the chosen spelling. Names of variables are upper case and stay as they are. */
export function inCase(world: World, row: Row): Row {
  return world.ambiguities['GAP-29.case'] === 'camel' ? respelled(row, camel) : row;
}

export function inSnakeCase(row: Row): Row {
  return respelled(row, snake);
}

function respelled(row: Row, spell: (key: string) => string): Row {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [spell(key), deep(value, spell)]));
}

function deep(value: unknown, spell: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => deep(one, spell));
  return isRecord(value) ? respelled(value, spell) : value;
}

function camel(key: string): string {
  return key.replace(/(?<=[a-z0-9])_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

function snake(key: string): string {
  return /^[A-Z0-9_]+$/.test(key) ? key : key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A rule or a limit with its configuration, which is spelled already. */
export function configuredRow(world: World, item: ConfiguredItem, configuration: Row): Row {
  const head = inCase(world, {
    ...idOf(world, item, 'rule_id'),
    rule_name: item.name,
    ...withoutEmptyTexts(world, { rule_description: item.description }),
  });
  if (world.ambiguities['GAP-29.nesting'] === 'flat') return { ...configuration, ...head };
  return {
    ...head,
    [world.ambiguities['GAP-29.case'] === 'camel' ? 'ruleConfiguration' : 'rule_configuration']: configuration,
  };
}

/** The id under its key, or nothing. */
export function idOf(world: World, item: Pick<ShieldItem, 'id' | 'number'>, named: string): Row {
  const value = world.ambiguities['GAP-29.ids'] === 'integer' ? item.number : item.id;
  return { id: { id: value }, named: { [named]: value }, none: {} }[world.ambiguities['GAP-29.id']];
}

/** Whether this is what a path means, in either form of an id. */
export function hasId(item: Pick<ShieldItem, 'id' | 'number'>, param: string | undefined): boolean {
  return param === item.id || param === String(item.number);
}

export function wrapList(world: World, name: string, rows: readonly Row[]): Answer {
  return ok({ bare: rows, wrapped: { [name]: rows }, data: { data: rows } }[world.ambiguities['GAP-29']]);
}

export function wrapOne(world: World, name: string, row: Row): Row {
  return world.ambiguities['GAP-29.one'] === 'wrapped' ? { [name]: row } : row;
}
