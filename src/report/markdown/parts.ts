// How what every Markdown report holds is laid out: lists that end with how much they leave out, blockers,
// diagnostics.
import type { BlockContent, List, PhrasingContent, RootContent } from 'mdast';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { sortDiagnostics, toShare } from '../../model/diagnostic.ts';
import type { Group, GroupEntry } from '../view/document.ts';
import { severityWord, showSource } from '../view/document.ts';
import { clipSafe, escapeBlock, escapeText } from '../view/escape.ts';
import { showAddress, showProse } from '../view/names.ts';
import { code, fence, list, paragraph, prose, strong, text } from './text.ts';

/** How much of a list, and of one text in it, there is room for. */
export interface ListRoom {
  readonly entries: number;
  readonly text: number;
}

export function cutList<Item>(
  items: readonly Item[],
  room: ListRoom,
  show: (item: Item) => readonly BlockContent[],
): List {
  const rest = items.length - room.entries;
  return list([
    ...items.slice(0, room.entries).map(show),
    ...(rest > 0 ? [[paragraph(text(`and ${rest} more`))]] : []),
  ]);
}

/** A name as code, cut to the room. */
export function name(value: string, room: ListRoom): PhrasingContent {
  return code(clipSafe(value, room.text));
}

export function sentence(value: string, room: ListRoom): readonly PhrasingContent[] {
  return prose(clipSafe(value, room.text));
}

export function groupParts({ title, meaning, entries }: Group, room: ListRoom): readonly RootContent[] {
  return [paragraph(strong(`${title} (${entries.length})`), text(`: ${meaning}`)), entryList(entries, room)];
}

export function entryList(entries: readonly GroupEntry[], room: ListRoom): RootContent {
  return cutList(entries, room, ({ address, reason, remedy, declares = [] }) => [
    paragraph(name(address, room), text(': '), ...sentence(reason, room)),
    ...(remedy === undefined ? [] : [list([[paragraph(text('To do: '), ...sentence(remedy, room))]])]),
    ...(declares.length === 0 || room.text < FRAME_ROOM ? [] : [fence('diff', declares.flatMap(declaredLines))]),
  ]);
}

/** What will be there, as the lines of a diff. */
function declaredLines({ address, lines }: NonNullable<GroupEntry['declares']>[number]): readonly string[] {
  return [`+ ${address}`, ...lines.map((line) => `+   ${line}`)];
}

/** Place first, then what is wrong, and the lines of the file where there is room. */
export function diagnosticList(diagnostics: readonly Diagnostic[], room: ListRoom): RootContent {
  return cutList(
    sortDiagnostics(diagnostics).map(toShare),
    room,
    ({ code: id, severity, summary, detail, source, frame, address }) => [
      paragraph(
        strong(`${severityWord(severity)} ${escapeText(id, 10)}`),
        ...(source === undefined ? [] : [text(' '), name(showSource(source), room)]),
        ...(address === undefined ? [] : [text(' '), name(showAddress(address), room)]),
        text(': '),
        ...sentence(escapeText(summary), room),
        text('. '),
        ...sentence(showProse(detail, 4000), room),
      ),
      ...(frame === undefined || room.text < FRAME_ROOM ? [] : [fence('text', escapeBlock(frame))]),
    ],
  );
}

const FRAME_ROOM = 1000;
