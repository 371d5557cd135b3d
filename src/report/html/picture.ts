// The order of a plan as a picture: a box an action, or an object where there are many, and a line to what waits for
// it. What waits for nothing, and what nothing waits for, is only counted.
import type { Address, AddressSegment } from '../../model/address.ts';
import { parseAddress, rootOf } from '../../model/address.ts';
import type { Action, Verb } from '../../model/plan/plan.ts';
import { plural } from '../../model/common/count.ts';
import { groupBy } from '../../model/common/lists.ts';
import { directNeeds } from '../graph/order.ts';
import { countActions, numberActions, RISK_WORDS, sortRisks } from '../view/document.ts';
import { clipSafe, escapeText } from '../view/escape.ts';
import type { Link } from './layout.ts';
import { placeBoxes } from './layout.ts';
import { markup } from './markup.ts';
import type { Markup } from './markup.ts';
import { nounOf, titleOf } from '../view/names.ts';

/** More actions than these nobody can follow: then each box is an object. */
const MOST_ACTIONS = 60;
const MOST_BOXES = 120;
/** So many that wait for the same, and that the same waits for, share a box. */
const MANY = 4;
export const VERB_NAMES: Readonly<Record<Verb, string>> = { create: 'Create', update: 'Change', delete: 'Delete' };
const BOX = { width: 208, height: 44 };

interface Box {
  readonly href: string;
  readonly title: string;
  readonly kind: string;
  readonly name: string | null;
  /** What else stands below the name. */
  readonly sub: string;
  readonly verb?: Verb;
  readonly risky: boolean;
}

interface Drawing {
  readonly of: 'action' | 'object';
  readonly boxes: readonly Box[];
  readonly links: readonly (Link & { readonly reason: string })[];
}

/** The innermost kind in words and name, to be shown. */
function ownSegment(address: Address): AddressSegment {
  const own = parseAddress(address)?.at(-1);
  return own === undefined
    ? { kind: escapeText(address, 300), name: null }
    : { kind: nounOf(own.kind), name: own.name === null ? null : escapeText(own.name, 300) };
}

/** Undefined when there is no order to show. `anchors`: where the actions of an object stand. */
export function orderSection(actions: readonly Action[], anchors: ReadonlyMap<Address, string>): Markup | undefined {
  const drawing = actions.length > MOST_ACTIONS ? ofObjects(actions, anchors) : ofActions(actions);
  const { of } = drawing;
  const joined = new Set(drawing.links.flatMap(({ from, to }) => [from, to]));
  const shown = shareBoxes(keepBoxes(drawing, joined));
  const alone = drawing.boxes.length - joined.size;
  const rest =
    alone === 0
      ? ''
      : ` Not in the picture: ${plural(alone, of)} that ${alone === 1 ? 'waits' : 'wait'} for nothing and that nothing waits for.`;
  if (joined.size === 0)
    return actions.length < 2
      ? undefined
      : markup`<section id="order" class="quiet"><h2>Order</h2><p>No ${of} waits for another: they run in parallel.</p></section>`;
  if (shown.boxes.length > MOST_BOXES)
    return markup`<section id="order" class="quiet"><h2>Order</h2><p>${joined.size} ${of}s wait for each other: too many for a picture. Each action below says what it waits for.</p></section>`;
  return markup`<section id="order" class="quiet"><h2>Order</h2><p>From left to right; a line leads to the ${of} that waits.${rest}</p>
<div class="card picture" tabindex="0" role="group" aria-label="Order of the plan as a picture">${draw(shown)}</div></section>`;
}

function ofActions(actions: readonly Action[]): Drawing {
  const numbers = numberActions(actions);
  const place = (address: Address): number => (numbers.get(address) as number) - 1;
  return {
    of: 'action',
    boxes: actions.map(({ address, verb, risk }, index) => ({
      ...ownSegment(address),
      href: `#a${index + 1}`,
      title: [
        `#${index + 1} ${VERB_NAMES[verb]} ${titleOf(address)}`,
        ...sortRisks(risk).map((one) => RISK_WORDS[one]),
      ].join(', '),
      sub: `#${index + 1} ${VERB_NAMES[verb]}`,
      verb,
      risky: risk.length > 0,
    })),
    links: actions.flatMap((action, to) =>
      directNeeds(action, actions).map(({ address, rule, reason }) => ({
        from: place(address),
        to,
        reason: `#${to + 1} after #${place(address) + 1} because ${reason} (${rule})`,
      })),
    ),
  };
}

function ofObjects(actions: readonly Action[], anchors: ReadonlyMap<Address, string>): Drawing {
  const roots = [...anchors.keys()];
  const places = new Map(roots.map((root, index) => [root, index]));
  const own = new Map<Address, Action[]>(roots.map((root) => [root, []]));
  for (const action of actions) own.get(rootOf(action.address))?.push(action);
  const links = new Map<string, Drawing['links'][number]>();
  for (const { address, needs } of actions)
    for (const need of needs) {
      const [before, after] = [rootOf(need.address), rootOf(address)];
      const [from, to] = [places.get(before), places.get(after) as number];
      if (from === undefined || from === to) continue;
      links.set(`${from} ${to}`, { from, to, reason: `${titleOf(after)} waits for ${titleOf(before)}` });
    }
  return {
    of: 'object',
    boxes: roots.map((root) => {
      const inside = own.get(root) as Action[];
      return {
        ...ownSegment(root),
        href: `#${anchors.get(root)}`,
        title: `${titleOf(root)}: ${countActions(inside)}`,
        sub: plural(inside.length, 'action'),
        risky: inside.some(({ risk }) => risk.length > 0),
      };
    }),
    links: [...links.values()],
  };
}

function keepBoxes({ boxes, links, of }: Drawing, kept: ReadonlySet<number>): Drawing {
  const shown = [...kept].sort((left, right) => left - right);
  const places = new Map(shown.map((index, place) => [index, place]));
  return {
    of,
    boxes: shown.map((index) => boxes[index] as Box),
    links: links.map(({ from, to, reason }) => ({
      from: places.get(from) as number,
      to: places.get(to) as number,
      reason,
    })),
  };
}

/** One box for those that wait for the same and that the same waits for. */
function shareBoxes({ boxes, links, of }: Drawing): Drawing {
  const before = boxes.map((): number[] => []);
  const after = boxes.map((): number[] => []);
  for (const { from, to } of links) {
    before[to]?.push(from);
    after[from]?.push(to);
  }
  const sorted = (list: readonly number[] = []): string => [...list].sort((left, right) => left - right).join(' ');
  const alike = groupBy(boxes.keys(), (index) => {
    const { kind, verb } = boxes[index] as Box;
    return [sorted(before[index]), sorted(after[index]), kind, verb].join('|');
  });
  const groups = [...alike.values()].flatMap((group) => (group.length < MANY ? group.map((one) => [one]) : [group]));
  const places = new Map(groups.flatMap((group, place) => group.map((index) => [index, place] as const)));
  const kept = new Map(
    links.map((link) => {
      const [from, to] = [places.get(link.from) as number, places.get(link.to) as number];
      return [`${from} ${to}`, { ...link, from, to }];
    }),
  );
  return {
    of,
    boxes: groups.map((group) => {
      const inside = group.map((index) => boxes[index] as Box);
      const [first, last] = [inside[0] as Box, inside.at(-1) as Box];
      if (first === last) return first;
      const sub = first.verb === undefined ? `${first.name} … ${last.name}` : `${first.sub} … ${last.sub}`;
      return {
        ...first,
        title: inside.map(({ title }) => title).join('; '),
        kind: `${inside.length} × ${first.kind}`,
        name: null,
        sub,
        risky: inside.some(({ risky }) => risky),
      };
    }),
    links: [...kept.values()],
  };
}

function draw({ boxes, links }: Drawing): Markup {
  const placed = placeBoxes(links, { ...BOX, count: boxes.length, across: 52, down: 14 });
  const [width, height] = [placed.width + 8, placed.height + 8];
  return markup`<svg width="${width}" height="${height}" viewBox="-4 -4 ${width} ${height}"><defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>
${links.map(
  ({ reason }, index) =>
    markup`<path class="edge" d="${placed.lines[index]}" marker-end="url(#tip)"><title>${clipSafe(reason, 300)}</title></path>
`,
)}${boxes.map((box, index) => drawBox(box, placed.boxes[index] as (typeof placed.boxes)[number]))}</svg>`;
}

function drawBox(
  { href, title, kind, name, sub, verb, risky }: Box,
  { x, y }: { readonly x: number; readonly y: number },
): Markup {
  const below = name === null ? sub : `${sub} ${kind}`;
  return markup`<a href="${href}" class="${verb ?? 'object'}${risky && ' risky'}"><title>${clipSafe(title, 600)}</title><rect class="box" x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="7"/><svg x="${x + 10}" y="${y}" width="${BOX.width - 16}" height="${BOX.height}"><text x="0" y="19">${shorten(name ?? kind, 25)}</text><text class="sub" x="0" y="35">${shorten(below, 32)}</text></svg></a>
`;
}

/** Cut to what fits: wide characters count twice. */
function shorten(text: string, room: number): string {
  let used = 0;
  let kept = '';
  for (const character of text) {
    used += (character.codePointAt(0) as number) > 0x1100 ? 2 : 1;
    if (used > room) return `${kept}…`;
    kept += character;
  }
  return kept;
}
