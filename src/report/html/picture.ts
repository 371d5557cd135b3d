// The order of a plan as a picture: a box an action, or an object where there are many, and a line to what waits for
// it. What waits for nothing, and what nothing waits for, is only counted.
import type { Address } from '../../model/address.ts';
import { rootOf } from '../../model/address.ts';
import type { Action, Risk, Verb } from '../../model/plan/plan.ts';
import { directNeeds } from '../graph/mermaid.ts';
import { countActions, numberActions, plural, RISK_WORDS, sortRisks } from '../view/document.ts';
import { clipSafe } from '../view/escape.ts';
import type { Link } from './layout.ts';
import { placeBoxes } from './layout.ts';
import { markup } from './markup.ts';
import type { Markup } from './markup.ts';
import { lastOf, titleOf, VERB_NAMES } from './parts.ts';

/** More boxes than these nobody can follow: then each is an object. */
const MOST_ACTIONS = 60;
const MOST_BOXES = 120;
/** Where more lines than these cross from some boxes to the same others, they meet in a point. */
const MOST_CROSSING = 6;
const SIZES = { width: 220, across: 64, down: 14, box: 44 };

interface Box {
  readonly href: string;
  readonly title: string;
  readonly text: string;
  readonly sub: string;
  readonly verb?: Verb;
  readonly risk: readonly Risk[];
}

interface Drawing {
  readonly boxes: readonly Box[];
  readonly links: readonly (Link & { readonly reason: string })[];
  readonly of: 'action' | 'object';
}

/** Undefined when there is no order to show. `anchors`: where the actions of an object stand. */
export function orderSection(actions: readonly Action[], anchors: ReadonlyMap<Address, string>): Markup | undefined {
  const { boxes, links, of } = actions.length > MOST_ACTIONS ? ofObjects(actions, anchors) : ofActions(actions);
  const joined = new Set(links.flatMap(({ from, to }) => [from, to]));
  const alone = boxes.length - joined.size;
  const rest =
    alone === 0
      ? ''
      : ` ${plural(alone, `${of}`)} ${alone === 1 ? 'waits' : 'wait'} for nothing and ${alone === 1 ? 'runs' : 'run'} in parallel.`;
  if (links.length === 0)
    return actions.length < 2
      ? undefined
      : markup`<section id="order" class="quiet"><h2>Order</h2><p>No ${of} waits for another: they run in parallel.</p></section>`;
  if (joined.size > MOST_BOXES)
    return markup`<section id="order" class="quiet"><h2>Order</h2><p>${plural(joined.size, of)} wait for each other: too many for a picture. Each action below says what it waits for.</p></section>`;
  return markup`<section id="order" class="quiet"><h2>Order</h2><p>From left to right; a line leads to the ${of} that waits.${rest}</p>
<div class="card picture" tabindex="0" role="group" aria-label="Order of the plan as a picture">${draw(boxes, links, joined)}</div></section>`;
}

function ofActions(actions: readonly Action[]): Drawing {
  const numbers = numberActions(actions);
  const place = (address: Address): number => (numbers.get(address) as number) - 1;
  return {
    of: 'action',
    boxes: actions.map((action, index) => ({
      href: `#a${index + 1}`,
      title: `#${index + 1} ${VERB_NAMES[action.verb]} ${titleOf(action.address)}`,
      text: lastOf(action.address),
      sub: [`#${index + 1} ${VERB_NAMES[action.verb]}`, ...sortRisks(action.risk).map((risk) => RISK_WORDS[risk])].join(
        ' · ',
      ),
      verb: action.verb,
      risk: action.risk,
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
  const counts = new Map<string, number>();
  for (const action of actions)
    for (const need of action.needs) {
      const [from, to] = [places.get(rootOf(need.address)), places.get(rootOf(action.address)) as number];
      if (from !== undefined && from !== to) counts.set(`${from} ${to}`, (counts.get(`${from} ${to}`) ?? 0) + 1);
    }
  return {
    of: 'object',
    boxes: roots.map((root) => {
      const inside = own.get(root) as Action[];
      return {
        href: `#${anchors.get(root)}`,
        title: `${titleOf(root)}: ${countActions(inside)}`,
        text: lastOf(root),
        sub: countActions(inside),
        risk: inside.flatMap(({ risk }) => risk),
      };
    }),
    links: [...counts].map(([key, count]) => {
      const [from, to] = key.split(' ').map(Number) as [number, number];
      return {
        from,
        to,
        reason: `${titleOf(roots[to] as string)} after ${titleOf(roots[from] as string)}: ${plural(count, 'action waits', 'actions wait')}`,
      };
    }),
  };
}

function draw(all: readonly Box[], every: Drawing['links'], joined: ReadonlySet<number>): Markup {
  const shown = [...joined].sort((left, right) => left - right);
  const places = new Map(shown.map((index, place) => [index, place]));
  const boxes = shown.map((index) => all[index] as Box);
  const links = every.map(({ from, to, reason }) => ({
    from: places.get(from) as number,
    to: places.get(to) as number,
    reason,
  }));
  const bundled = bundle(links, boxes.length);
  const heights = [...boxes.map(() => SIZES.box), ...Array.from({ length: bundled.points }, () => 0)];
  // A point stands between what it joins: in the list before what waits, or its lines would lead backwards.
  const { order, rank } = sortPoints(bundled.links, heights.length, boxes.length);
  const placed = placeBoxes(
    bundled.links.map(({ from, to }) => ({ from: rank[from] as number, to: rank[to] as number })),
    { ...SIZES, heights: order.map((index) => heights[index] as number) },
  );
  const at = (index: number): { readonly x: number; readonly y: number } =>
    placed.boxes[rank[index] as number] as { readonly x: number; readonly y: number };
  const [width, height] = [placed.width + 8, placed.height + 8];
  return markup`<svg width="${width}" height="${height}" viewBox="-4 -4 ${width} ${height}"><defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>
${bundled.links.map(
  ({ to, reason }, index) =>
    markup`<path class="edge" d="${placed.lines[index]}"${to < boxes.length && markup` marker-end="url(#tip)"`}><title>${clipSafe(reason, 300)}</title></path>
`,
)}${Array.from({ length: bundled.points }, (_, index) => {
    const { x, y } = at(boxes.length + index);
    return markup`<circle class="dot" cx="${x}" cy="${y}" r="3"/>`;
  })}${boxes.map((box, index) => boxOf(box, at(index)))}</svg>`;
}

function boxOf(
  { href, title, text, sub, verb, risk }: Box,
  { x, y }: { readonly x: number; readonly y: number },
): Markup {
  return markup`<a href="${href}" class="${verb ?? 'object'}${risk.length > 0 && ' risky'}"><title>${title}</title><rect class="box" x="${x}" y="${y}" width="${SIZES.width}" height="${SIZES.box}" rx="7"/><svg x="${x + 10}" y="${y}" width="${SIZES.width - 16}" height="${SIZES.box}"><text x="0" y="19">${shorten(text, 29)}</text><text class="sub" x="0" y="35">${shorten(sub, 36)}</text></svg></a>
`;
}

/**
 * Where several wait for all of several others, for one reason, one line leads from each to a point, and one from there
 * to each: 40 lines instead of 400.
 */
function bundle(links: Drawing['links'], boxes: number): { readonly links: Drawing['links']; readonly points: number } {
  const bySet = new Map<string, { readonly from: readonly number[]; readonly to: number[]; readonly reason: string }>();
  const incoming = new Map<number, (typeof links)[number][]>();
  for (const link of links) {
    const known = incoming.get(link.to);
    if (known === undefined) incoming.set(link.to, [link]);
    else known.push(link);
  }
  for (const [to, all] of incoming) {
    const from = all.map((link) => link.from).sort((left, right) => left - right);
    const key = from.join(' ');
    const known = bySet.get(key);
    if (known === undefined) bySet.set(key, { from, to: [to], reason: all[0]?.reason ?? '' });
    else known.to.push(to);
  }
  const drawn: Drawing['links'][number][] = [];
  let points = 0;
  for (const { from, to, reason } of bySet.values()) {
    if (from.length < 2 || from.length * to.length <= MOST_CROSSING) {
      for (const one of to) drawn.push(...(incoming.get(one) ?? []));
      continue;
    }
    const point = boxes + points;
    points += 1;
    drawn.push(...from.map((one) => ({ from: one, to: point, reason })));
    drawn.push(...to.map((one) => ({ from: point, to: one, reason })));
  }
  return { links: drawn, points };
}

/** The places in which each box and point comes after what leads to it, as far as boxes do. */
function sortPoints(
  links: readonly Link[],
  count: number,
  boxes: number,
): { readonly order: readonly number[]; readonly rank: readonly number[] } {
  const key = (index: number): number =>
    index < boxes ? index : Math.min(...links.filter(({ from }) => from === index).map(({ to }) => to)) - 0.5;
  const order = Array.from({ length: count }, (_, index) => index).sort((left, right) => key(left) - key(right));
  const rank = Array.from({ length: count }, () => 0);
  order.forEach((index, place) => (rank[index] = place));
  return { order, rank };
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
