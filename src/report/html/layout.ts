// Where the boxes of a picture stand: columns from left to right, so that what comes first stands first, in an order
// with few crossings, each near what it is joined to. The usual layered drawing, small: @dagrejs/dagre 3 would save some
// 120 lines and cost 47 kB of the build, and over the nine plans of `test/golden` it draws as few crossings (none) with
// lines that are 12 % longer.

export interface Link {
  /** Places in the list of boxes. */
  readonly from: number;
  readonly to: number;
}

export interface Placed {
  readonly width: number;
  readonly height: number;
  /** The upper left corner of each box. */
  readonly boxes: readonly { readonly x: number; readonly y: number }[];
  /** The line of each link, as the data of an SVG path. */
  readonly lines: readonly string[];
}

export interface Sizes {
  /** How many boxes, and how large each is. */
  readonly count: number;
  readonly width: number;
  readonly height: number;
  /** Between columns, and between boxes of one column. */
  readonly across: number;
  readonly down: number;
}

/** What a line that passes a column takes there. */
const LANE = 8;
const SWEEPS = 12;

interface Point {
  readonly column: number;
  readonly height: number;
  readonly before: number[];
  readonly after: number[];
  y: number;
}

/** Links that lead backwards in the list are drawn, and do not decide where a box stands. */
export function placeBoxes(links: readonly Link[], { count, width, height, across, down }: Sizes): Placed {
  const columns = columnsOf(count, links);
  const points = columns.map((column): Point => ({ column, height, before: [], after: [], y: 0 }));
  const paths = links.map(({ from, to }) => pathOf(from, to, points));
  const byColumn: number[][] = [];
  points.forEach(({ column }, index) => (byColumn[column] ??= []).push(index));
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) sortColumns(byColumn, points, sweep % 2 === 0);
  for (const column of byColumn) stack(column, points, down);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) align(byColumn, points, down, sweep % 2 === 0);
  const top = Math.min(0, ...points.map(({ y }) => y));
  for (const point of points) point.y -= top;
  const left = ({ column }: Point): number => column * (width + across);
  const middle = (point: Point): number => round(point.y + point.height / 2);
  return {
    width: Math.max(1, byColumn.length) * (width + across) - across,
    height: Math.max(0, ...points.map((point) => round(point.y + point.height))),
    boxes: points.slice(0, count).map((point) => ({ x: left(point), y: round(point.y) })),
    lines: paths.map((path) => {
      const stops = path.map((index) => points[index] as Point);
      return stops
        .slice(1)
        .map((to, index) => {
          const from = stops[index] as Point;
          const backwards = to.column <= from.column;
          const x = [left(from) + width, left(to)] as const;
          const bend = backwards ? across : across / 2;
          const start = `${index === 0 ? 'M' : 'L'}${x[0]} ${middle(from)}`;
          return `${start}C${x[0] + bend} ${middle(from)} ${x[1] - bend} ${middle(to)} ${x[1]} ${middle(to)}`;
        })
        .join('');
    }),
  };
}

/** As far left as what comes before allows; what nothing comes before stands right before what follows it. */
function columnsOf(count: number, links: readonly Link[]): readonly number[] {
  const columns = Array.from({ length: count }, () => 0);
  const ahead = links.filter(({ from, to }) => from < to).sort((left, right) => left.to - right.to);
  for (const { from, to } of ahead) columns[to] = Math.max(columns[to] as number, (columns[from] as number) + 1);
  const waits = new Set(ahead.map(({ to }) => to));
  for (let box = 0; box < count; box += 1) {
    const next = ahead.filter(({ from }) => from === box).map(({ to }) => columns[to] as number);
    if (!waits.has(box) && next.length > 0) columns[box] = Math.min(...next) - 1;
  }
  return columns;
}

/** The points from one box to another: in each column between, one that holds the line a way free. */
function pathOf(from: number, to: number, points: Point[]): readonly number[] {
  const [first, last] = [(points[from] as Point).column, (points[to] as Point).column];
  const path = [from];
  for (let column = first + 1; column < last; column += 1) {
    path.push(points.length);
    points.push({ column, height: LANE, before: [], after: [], y: 0 });
  }
  path.push(to);
  if (first < last)
    path.slice(1).forEach((next, index) => {
      const here = path[index] as number;
      (points[here] as Point).after.push(next);
      (points[next] as Point).before.push(here);
    });
  return path;
}

/** Each by the middle of its neighbours, in turn from the left and from the right. */
function sortColumns(byColumn: readonly number[][], points: readonly Point[], forward: boolean): void {
  for (const column of forward ? byColumn : [...byColumn].reverse()) {
    const places = new Map(byColumn.flatMap((one) => one.map((index, place) => [index, place] as const)));
    const wish = new Map(
      column.map((index, place) => {
        const { before, after } = points[index] as Point;
        const near = (forward ? before : after).map((one) => places.get(one) as number);
        return [index, near.length === 0 ? place : near.reduce((sum, one) => sum + one, 0) / near.length];
      }),
    );
    column.sort((left, right) => (wish.get(left) as number) - (wish.get(right) as number));
  }
}

function stack(column: readonly number[], points: readonly Point[], down: number): void {
  let y = 0;
  for (const index of column) {
    const point = points[index] as Point;
    point.y = y;
    y += point.height + down;
  }
}

/** As near to the height of their neighbours as the order of a column allows: the least sum of squares. */
function align(byColumn: readonly number[][], points: readonly Point[], down: number, forward: boolean): void {
  for (const column of forward ? byColumn : [...byColumn].reverse()) {
    const blocks: { sum: number; count: number; readonly members: number[] }[] = [];
    let offset = 0;
    const offsets = column.map((index) => {
      const own = offset;
      offset += (points[index] as Point).height + down;
      return own;
    });
    column.forEach((index, place) => {
      const { before, after, height, y } = points[index] as Point;
      const near = [...before, ...after].map((one) => points[one] as Point);
      const middles = near.map((one) => one.y + one.height / 2);
      const wish = middles.length === 0 ? y : middles.reduce((sum, one) => sum + one, 0) / middles.length - height / 2;
      let block = { sum: wish - (offsets[place] as number), count: 1, members: [place] };
      for (let last = blocks.at(-1); last && last.sum / last.count > block.sum / block.count; last = blocks.at(-1)) {
        blocks.pop();
        block = {
          sum: last.sum + block.sum,
          count: last.count + block.count,
          members: [...last.members, ...block.members],
        };
      }
      blocks.push(block);
    });
    for (const { sum, count, members } of blocks)
      for (const place of members)
        (points[column[place] as number] as Point).y = sum / count + (offsets[place] as number);
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
