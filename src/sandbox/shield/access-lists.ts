// What an access list is on the wire: its fields, its types, its checksum, and the platform's own lists.
import { createHash } from 'node:crypto';
import { isUnread } from '../core/copy/answers.ts';
import { integer, textOrNull } from '../core/http/schema.ts';
import { ok, refuse } from '../core/http/endpoint.ts';
import type { Answer, Row } from '../core/http/endpoint.ts';
import { blank, withoutEmptyTexts } from '../core/present.ts';
import type { World } from '../core/world.ts';
import type { CollectionKind, Written } from './rules.ts';
import { nameOf } from './rules.ts';
import { idOf, inCase, wrapList } from './shapes.ts';
import { accessList } from './state.ts';
import type { AccessList, ShieldZone } from './state.ts';

/** The documents name an endpoint for these, and none of them. */
export const ACCESS_LIST_TYPES = ['IP', 'CIDR', 'ASN', 'Country', 'Organization', 'JA4'];
const MOST_ENTRIES = 100;

const BUILT_IN = [
  accessList({
    id: 'builtin-crawlers',
    number: 9001,
    name: 'Known crawlers',
    description: 'Kept by the platform',
    content: '192.0.2.200',
  }),
  accessList({ id: 'builtin-exits', number: 9002, name: 'Exit nodes', type: 1, content: '198.51.100.0/24' }),
];

function read(world: World, _zone: ShieldZone, body: Row, before: AccessList | undefined): Written<AccessList> {
  const problems: string[] = [];
  const { content, checksum } = body;
  if (typeof content === 'string') {
    if (world.ambiguities['GAP-31.size'] === 'hundred' && entries(content).length > MOST_ENTRIES)
      problems.push(`content may have ${MOST_ENTRIES} entries`);
    const isOdd = typeof checksum === 'string' && checksum !== sha256(content);
    if (isOdd && world.ambiguities['GAP-31.checksum'] === 'checked') problems.push('checksum does not fit the content');
  }
  if (problems.length > 0) refuse(422, null, ...problems);
  return writtenList(world, body, before);
}

/** The keys that are there, and the checksum that follows from them. */
function writtenList(world: World, body: Row, before: AccessList | undefined): Written<AccessList> {
  const { name, description, type, content, checksum } = body as Partial<
    Pick<AccessList, 'name' | 'description' | 'type' | 'content' | 'checksum'>
  >;
  const kept =
    typeof content === 'string' && world.ambiguities['GAP-31.content'] === 'tidied'
      ? [...new Set(entries(content))].join('\n')
      : content;
  const onlyContent = before !== undefined && world.ambiguities['GAP-33.lists'] === 'content-only';
  const own =
    world.ambiguities['GAP-31.checksum'] === 'echo' ? checksum : kept === undefined ? undefined : sha256(kept);
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined || onlyContent ? {} : { description }),
    ...(type === undefined || onlyContent ? {} : { type }),
    ...(kept === undefined ? {} : { content: kept }),
    ...(own === undefined ? {} : { checksum: own }),
  };
}

function entries(content: string): readonly string[] {
  return content
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

function show(world: World, list: AccessList, inList: boolean): Row {
  const shown: Row = {
    ...idOf(world, list, 'list_id'),
    name: list.name,
    ...withoutEmptyTexts(world, { description: list.description }),
    type: list.type,
    checksum: list.checksum ?? blank(),
  };
  if (!inList || world.ambiguities['GAP-31'] === 'present') shown['content'] = list.content;
  return inCase(world, BUILT_IN.includes(list) ? { ...shown, read_only: true } : shown);
}

function wrap(world: World, rows: readonly Row[]): Answer {
  const own = BUILT_IN.map((list) => show(world, list, true));
  const reading = world.ambiguities['GAP-31.builtIn'];
  if (reading === 'apart') return ok(inCase(world, { custom_lists: rows, managed_lists: own }));
  return wrapList(world, 'access_lists', reading === 'listed' ? [...own, ...rows] : rows);
}

function highestType({ state }: World): number {
  return isUnread(state, 'accessListTypes') ? Number.MAX_SAFE_INTEGER : state.accessListTypes.length - 1;
}

/** GAP-29: how the types read. */
export function showTypes(world: World): Answer {
  const types = world.state.accessListTypes;
  if (world.ambiguities['GAP-29.enums'] === 'map')
    return { ...ok(Object.fromEntries(types.map((name, value) => [name, value]))), keyedByData: true };
  const wrapped = { types: types.map((name, id) => ({ id, name })) };
  return ok(world.ambiguities['GAP-29.enums'] === 'wrapped' ? wrapped : types.map((name, value) => ({ value, name })));
}

export const accessLists: CollectionKind<AccessList> = {
  plural: 'access_lists',
  single: 'access_list',
  collection: 'accessLists',
  label: 'access list',
  stored: (zone) => zone.accessLists,
  make: accessList,
  // SHD-21: an access list has a name, a description, an integer type, content and a checksum.
  body(world, isNew) {
    const required = isNew && world.ambiguities['GAP-31.required'] === 'name-type-content';
    return {
      name: nameOf(world, isNew),
      description: textOrNull,
      type: { ...integer(0, highestType(world)), required },
      content: { ...textOrNull, required },
      checksum: textOrNull,
    };
  },
  read,
  show,
  wrap,
  builtIn: (world) => (world.ambiguities['GAP-31.builtIn'] === 'unlisted' ? [] : BUILT_IN),
};
