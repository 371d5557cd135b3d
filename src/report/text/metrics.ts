// How metrics read in a terminal: single numbers as a table, what goes over time as plots. It finds both in whatever
// shape the platform answers, because most of these shapes are not documented (GAP-34, GAP-61).
import { plot } from 'simple-ascii-chart';
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject } from '../../model/json.ts';
import { escapeText } from '../view/escape.ts';
import { createStyle } from './style.ts';
import { renderTable } from './table.ts';

export interface MetricsTextOptions {
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** Names of the series to plot; empty: the first few that are not all zero. */
  readonly charts: readonly string[];
}

interface Series {
  readonly name: string;
  /** In order of time; `at` is what the platform calls the moment, or undefined where it does not say. */
  readonly points: readonly { readonly at: string | undefined; readonly value: number }[];
}

interface Found {
  readonly numbers: readonly (readonly [name: string, value: number])[];
  readonly series: readonly Series[];
}

const CHARTS_SHOWN = 3;
const HEIGHT = 8;
/** What a plot needs beside its points: the axis and its numbers. */
const MARGIN = 14;

/**
 * `text` is the result; `unknown` are charts asked for that there are none of; `hidden` are those that were not shown.
 */
export function renderMetrics(
  answer: Json,
  options: MetricsTextOptions,
): { readonly text: string; readonly hidden: readonly string[]; readonly unknown: readonly string[] } {
  const { numbers, series } = find(answer, '');
  const names = series.map(({ name }) => name);
  const wanted =
    options.charts.length > 0
      ? series.filter(({ name }) => options.charts.includes(name))
      : series.filter(({ points }) => points.some(({ value }) => value !== 0)).slice(0, CHARTS_SHOWN);
  const blocks = [
    ...(numbers.length > 0 ? [renderTable(['metric', 'value'], numbers, options)] : []),
    ...wanted.map((one) => renderSeries(one, options)),
  ];
  return {
    text: blocks.length === 0 ? 'There are no numbers.' : blocks.join('\n\n'),
    hidden: names.filter((name) => !wanted.some((one) => one.name === name)).map((name) => escapeText(name)),
    unknown: options.charts.filter((name) => !names.includes(name)),
  };
}

function renderSeries({ name, points }: Series, { color, width }: MetricsTextOptions): string {
  const style = createStyle(color);
  const first = points[0]?.at;
  const last = points.at(-1)?.at;
  const span = first === undefined || last === undefined ? `${points.length} points` : `${first} to ${last}`;
  const drawn = plot(
    points.map(({ value }, index): [number, number] => [index, value]),
    { width: Math.min(points.length * 2, width - MARGIN), height: HEIGHT, hideXAxis: true },
  );
  const lines = drawn
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  return [`${style.strong(escapeText(name))} ${style.faint(escapeText(span))}`, ...lines].join('\n');
}

/** Every number and every series below a value, named by the keys that lead there. */
function find(value: Json, name: string): Found {
  if (typeof value === 'number') return { numbers: [[name, value]], series: [] };
  const points = pointsOf(value);
  if (points !== undefined) return { numbers: [], series: [{ name, points }] };
  const below = (
    isJsonObject(value)
      ? Object.entries(value)
      : Array.isArray(value)
        ? (value as readonly Json[]).map((item, index) => [nameOf(item, index), item] as const)
        : []
  ).map(([key, item]) => find(isNamedSeries(item) ? (item.data as Json) : item, name === '' ? key : `${name}.${key}`));
  return { numbers: below.flatMap(({ numbers }) => numbers), series: below.flatMap(({ series }) => series) };
}

/** A map from moments to numbers, or a list of numbers, of pairs or of {x, y}; at least two of them. */
function pointsOf(value: Json): Series['points'] | undefined {
  const entries = isJsonObject(value)
    ? Object.entries(value)
    : Array.isArray(value)
      ? (value as readonly Json[]).map(pairOf)
      : [];
  const points = entries.flatMap((entry) =>
    entry !== undefined && typeof entry[1] === 'number' ? [{ at: entry[0], value: entry[1] }] : [],
  );
  if (points.length < 2 || points.length < entries.length) return undefined;
  if (!isJsonObject(value)) return points;
  return points.every(({ at }) => /^\d{4}-\d{2}-\d{2}/.test(at as string))
    ? points.sort((left, right) => ((left.at as string) < (right.at as string) ? -1 : 1))
    : undefined;
}

function pairOf(item: Json): readonly [string | undefined, Json | undefined] | undefined {
  if (Array.isArray(item)) return [String(item[0]), item[1] as Json | undefined];
  if (isJsonObject(item)) return typeof item.x === 'string' ? [item.x, item.y] : undefined;
  return [undefined, item];
}

function isNamedSeries(item: Json): item is JsonObject {
  return isJsonObject(item) && Array.isArray(item.data);
}

function nameOf(item: Json, index: number): string {
  return isJsonObject(item) && typeof item.name === 'string' ? item.name : String(index);
}
