// What every reporter says alike of drift: the groups and their words, the three sides of a field, since when and by
// whom. Nobody is named whom the platform's history does not name.
import { wordsOf } from '../../areas/words.ts';
import { kindOf } from '../../model/address.ts';
import type { DriftClass, DriftedField, DriftItem, IgnoredDrift, ActivityEntry } from '../../model/plan/drift.ts';
import { DRIFT_CLASSES } from '../../model/plan/drift.ts';
import type { Json } from '../../model/json.ts';
import { countsOf, plural } from '../../model/common/count.ts';
import { firstOf } from '../../model/format.ts';
import { escapeText } from './escape.ts';
import { showAddress } from './names.ts';
import { showPointer, showValue } from './values.ts';

interface Words {
  readonly title: string;
  /** As it is counted; absent: the title in small letters. */
  readonly counted?: string;
  readonly meaning: string;
  readonly remedy: string;
}

const DRIFT_WORDS: Readonly<Record<DriftClass, Words>> = {
  both: {
    title: 'Changed on both sides',
    meaning: 'neither the manifests nor the account are as last applied',
    remedy:
      'A person decides: `hostwright apply` writes what the manifests say, `hostwright drift --accept ADDRESS` takes over what is live.',
  },
  drifted: {
    title: 'Drifted',
    meaning: 'the manifests are as last applied, the account was changed out of band',
    remedy: '`hostwright apply` puts it back; `hostwright drift --accept ADDRESS` takes over what is live.',
  },
  differs: {
    title: 'Differs',
    meaning: 'what was last applied is not known, so nobody can tell which side changed',
    remedy:
      'Compare the two sides. `hostwright apply` writes what the manifests say, `hostwright drift --accept ADDRESS` takes over what is live.',
  },
  undeclared: {
    title: 'Changed, and no manifest declares it',
    counted: 'changed that no manifest declares',
    meaning: 'live is not as it was observed, and no manifest says how it is to be',
    remedy:
      '`hostwright drift --accept ADDRESS` takes it as it is. To put it back, declare it: move its lines into a manifest, then apply.',
  },
  pending: {
    title: 'Pending',
    meaning: 'the manifests changed, and nobody applied them',
    remedy: '`hostwright apply` carries it out.',
  },
  'in-flight': {
    title: 'In flight',
    meaning: 'an earlier run began it, and it is not done',
    remedy: '`hostwright apply --resume` continues it.',
  },
};

/** The items of one class; classes that have none are left out. */
export interface DriftGroup extends Words {
  readonly class: DriftClass;
  readonly items: readonly DriftItem[];
}

export function driftGroups(drift: readonly DriftItem[]): readonly DriftGroup[] {
  return DRIFT_CLASSES.map((one) => ({
    class: one,
    ...DRIFT_WORDS[one],
    items: drift.filter((item) => item.class === one),
  })).filter(({ items }) => items.length > 0);
}

/** `2 drifted, 1 pending, 3 ignored`. */
export function countDrift(drift: readonly DriftItem[], ignored: readonly IgnoredDrift[]): string {
  return countsOf([
    ...driftGroups(drift).map(({ title, counted, items }) => [items.length, counted ?? title.toLowerCase()] as const),
    [ignored.length, 'ignored'],
  ]);
}

/** What is so of an object as a whole; '' where its fields say it. */
export function wholeSentence({ is, class: which }: DriftItem): string {
  switch (is) {
    case 'missing':
      return (
        {
          drifted: 'it was there when last applied, and is gone',
          pending: 'declared, and not made yet',
          undeclared: 'it was there when observed, and is gone',
        }[which as string] ?? 'declared, and missing on the platform'
      );
    case 'extra':
      return (
        {
          drifted: 'it came after the last apply, and is not declared',
          pending: 'it was applied, and is not declared any more',
          undeclared: 'it was not there when observed',
        }[which as string] ?? 'live, and not declared'
      );
    case 'in-flight':
      return 'begun by an earlier run';
    case 'changed':
      return '';
  }
}

/** The three sides of a field. */
export interface ShownSides {
  readonly field: string;
  readonly applied: string;
  readonly manifest: string;
  readonly live: string;
}

export const SIDES = ['last applied', 'manifest', 'live'] as const;
const NOTHING = 'nothing';

export function showSides({ address }: DriftItem, field: DriftedField, room: number): ShownSides {
  const words = wordsOf(kindOf(address));
  const show = (value: Json | undefined, without: string): string =>
    value === undefined ? without : showValue(words.value?.(field.path, value) ?? value, room);
  const isRotationToken = field.rotationToken === true;
  return {
    field: `${showPointer(field.path)}${isRotationToken ? ' (rotate)' : ''}`,
    applied: show(field.applied, field.class === 'differs' ? 'not known' : NOTHING),
    manifest: show(field.manifest, NOTHING),
    live: isRotationToken ? 'cannot be read' : show(field.live, NOTHING),
  };
}

/** Since when, and what the history shows. `nowMs` for readers who look now; without it times stand alone. */
export function whenLines({ class: which, appliedAt, activity = [] }: DriftItem, nowMs?: number): readonly string[] {
  if (appliedAt === undefined) return [];
  const since = showTime(appliedAt, nowMs);
  if (which !== 'drifted' && which !== 'both' && which !== 'undeclared') return [`last applied ${since}`];
  if (activity.length === 0) return [`changed after ${since}, author unknown`];
  return [
    `changed after ${since}; the history since then has what may be it:`,
    ...activity.map((entry) => `  ${activityLine(entry, nowMs)}`),
  ];
}

function activityLine({ id, name, status, at, by }: ActivityEntry, nowMs: number | undefined): string {
  const who = by === undefined ? 'which names nobody' : `by ${escapeText(by, 200)}`;
  return `task ${escapeText(id, 100)} ${escapeText(name, 200)} (${escapeText(status, 50)}) ${who}, ${showTime(at, nowMs)}`;
}

/** `2026-11-22 01:41 UTC (3 hours ago)`. */
export function showTime(at: string, nowMs?: number): string {
  const atMs = Date.parse(at);
  // A saved document may hold any text here.
  if (Number.isNaN(atMs)) return escapeText(at, 50);
  const time = `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return nowMs === undefined ? time : `${time} (${ago(nowMs - atMs)})`;
}

function ago(ms: number): string {
  const units = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
  ] as const;
  const [size, name] = units.find(([unit]) => ms >= unit) ?? [0, ''];
  if (size === 0) return 'just now';
  return `${plural(Math.floor(ms / size), name)} ago`;
}

/** One line of what was left out. */
export function ignoredLine({ address, path, as, by }: IgnoredDrift): string {
  return `${showAddress(address)}${path === undefined ? '' : ` ${showPointer(path)}`}: ${escapeText(as, 20)} (--ignore ${escapeText(by, 300)})`;
}

/** What a drift cannot see, in one sentence; undefined where it sees everything. */
export function notWatchedSentence(kinds: readonly string[]): string | undefined {
  if (kinds.length === 0) return undefined;
  const names = kinds.map((kind) => escapeText(kind, 100));
  return `Not watched: ${plural(kinds.length, 'area')} (${firstOf(names, NAMED)}). \`hostwright export --observed\` records what no manifest declares.`;
}

/** JSON has all of them. */
const NAMED = 3;
