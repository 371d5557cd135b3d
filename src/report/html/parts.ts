// What every HTML report is made of: names, sentences, badges, places, values, diagnostics, lists.
import type { Address, AddressSegment } from '../../model/address.ts';
import { parseAddress } from '../../model/address.ts';
import type { Diagnostic, SourcePosition } from '../../model/diagnostic.ts';
import { sortDiagnostics, toShare } from '../../model/diagnostic.ts';
import type { Action, Verb } from '../../model/plan/plan.ts';
import { changesInWords } from '../../model/written/changes.ts';
import type { Group, GroupEntry } from '../view/document.ts';
import { plural, severityWord, showRisks, showSource } from '../view/document.ts';
import { clipSafe, escapeBlock, escapeText } from '../view/escape.ts';
import { nounOf, showAddress, showProse } from '../view/names.ts';
import type { Room } from '../view/values.ts';
import { changesOf, isPosition, showChange } from '../view/values.ts';
import { markup } from './markup.ts';
import type { Markup, Part } from './markup.ts';

export const VERB_NAMES: Readonly<Record<Verb, string>> = { create: 'Create', update: 'Change', delete: 'Delete' };

/** No value of a reader's interest is longer. */
const WHOLE: Room = { value: 4000, line: -1, items: 500 };
const NAME_LIMIT = 300;

/** The innermost part of it. */
export function lastOf(address: Address): string {
  const own = parseAddress(address)?.at(-1);
  return own === undefined ? escapeText(address, NAME_LIMIT) : segmentText(own);
}

/** The innermost kind in words and name, to be shown. */
export function ownSegment(address: Address): AddressSegment {
  const own = parseAddress(address)?.at(-1);
  return own === undefined
    ? { kind: escapeText(address, NAME_LIMIT), name: null }
    : { kind: nounOf(own.kind), name: own.name === null ? null : escapeText(own.name, NAME_LIMIT) };
}

function segmentText({ kind, name }: AddressSegment): string {
  return name === null ? nounOf(kind) : `${nounOf(kind)} ${escapeText(name, NAME_LIMIT)}`;
}

/** An object by kind and name, in words; its address is shown over it, and the filter finds it. `within`: what stands above it says the root already. */
export function objectName(address: Address, within = false): Markup {
  const segments = parseAddress(address);
  if (segments === undefined) return markup`<b>${escapeText(address, NAME_LIMIT)}</b>`;
  const shown = within && segments.length > 1 ? segments.slice(1) : segments;
  return markup`<span title="${showAddress(address)}">${shown.map(
    ({ kind, name }, index) =>
      markup`${index > 0 && ' / '}${name === null ? markup`<b>${nounOf(kind)}</b>` : markup`${nounOf(kind)} <b>${escapeText(name, NAME_LIMIT)}</b>`}`,
  )}</span>`;
}

/**
 * A sentence that is already shown by `escape.ts`: code between backticks, and addresses of https as links. No other
 * address is one.
 */
export function prose(text: string): readonly Part[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? markup`<code>${part}</code>` : withLinks(part)));
}

/** Only what reads as the address that it is: plain characters, nobody's name before the host. */
const LINK = /https:\/\/(?![^\s/]*@)[A-Za-z0-9.-]+(?::\d+)?(?:[/?#][A-Za-z0-9._~:/?#@!$&*+,;=%-]*)?/g;

function withLinks(text: string): readonly Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(LINK)) {
    const address = match[0].replace(/[.,;:!?]+$/, '');
    if (!URL.canParse(address)) continue;
    parts.push(
      text.slice(end, match.index),
      markup`<a href="${address}" rel="noopener noreferrer external">${address}</a>`,
    );
    end = match.index + address.length;
  }
  return [...parts, text.slice(end)];
}

export function place(source: SourcePosition | undefined): Part {
  return source !== undefined && markup`<span class="place">${showSource(source)}</span>`;
}

export function verbBadge(verb: Verb): Markup {
  return markup`<span class="badge ${verb}">${VERB_NAMES[verb]}</span>`;
}

/** What a reviewer has to see, with what it costs. */
export function riskBadges(action: Pick<Action, 'risk' | 'cost'>): readonly Part[] {
  const unpriced = action.risk.includes('charge') && action.cost === undefined;
  return showRisks(action).map(
    (words, index) =>
      markup` <span class="badge risk">${words}${index === 0 && unpriced && ' (price not quoted)'}</span>`,
  );
}

/** What an action changes, on one line; a field that only repeats the name says nothing. */
export function glance(action: Pick<Action, 'address' | 'changes' | 'steps' | 'verb'>, most = 3): string {
  const { address, verb } = action;
  const changes = changesInWords(action);
  const { name } = ownSegment(address);
  const telling = changes.filter(
    (change) => !isPosition(change) && (verb === 'update' || (change.value ?? change.was) !== name),
  );
  const shown = telling.slice(0, most).map((change) => {
    const { field, inline, items = [] } = showChange(change, verb, { value: 40 * most, line: 80 * most, items: most });
    if (inline !== undefined) return `${field}: ${inline}`;
    return `${field}: ${items.flatMap(({ mark, text }) => (mark === ' ' ? [] : [`${mark} ${text}`])).join(', ')}`;
  });
  const rest = telling.length - shown.length;
  return clipSafe(`${shown.join('; ')}${rest > 0 ? `; and ${plural(rest, 'more field')}` : ''}`, 130 * most);
}

/** Every change of an action, each side on its own line. */
export function changeTable(action: Action, context: number | undefined, position: string | undefined): Part {
  const { verb } = action;
  const room = context === undefined ? WHOLE : { ...WHOLE, context };
  const shown = changesOf(action, position, room);
  if (shown.length === 0) return undefined;
  return markup`<table><tbody>${shown.map(({ field, inline, items = [] }) => {
    const lines =
      inline === undefined
        ? items.map(({ mark, text }) =>
            mark === '+'
              ? markup`<ins class="v">${text}</ins>`
              : mark === '-'
                ? markup`<del class="v">${text}</del>`
                : markup`<span class="v same">${text}</span>`,
          )
        : verb === 'delete'
          ? markup`<del class="v">${inline}</del>`
          : verb === 'create'
            ? markup`<ins class="v">${inline}</ins>`
            : markup`<span class="v">${inline}</span>`;
    return markup`<tr><th scope="row"><code>${field}</code></th><td>${lines}</td></tr>`;
  })}</tbody></table>`;
}

export function block(lines: readonly string[]): Part {
  return (
    lines.length > 0 &&
    markup`<pre tabindex="0">${lines.map(
      (line) => markup`${line}
`,
    )}</pre>`
  );
}

/** A part of the page; `anchor` is how the numbers at the top find it. */
export function section(anchor: string, title: string, meaning: Part, ...content: readonly Part[]): Markup {
  return markup`<section id="${anchor}" class="group"><h2>${title}</h2>${meaning !== '' && meaning !== undefined && markup`<p>${meaning}</p>`}${content}</section>`;
}

export function rows(items: readonly Part[]): Markup {
  return markup`<ul class="card rows">${items}</ul>`;
}

export function groupSection(group: Group): Markup {
  const title = `${group.title} (${group.entries.length})`;
  return section(anchorOf(group.title), title, sentenceOf(group.meaning), rows(group.entries.map(entryRow)));
}

export function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

export function entryRow({ address, reason, remedy, declares = [] }: GroupEntry): Markup {
  return markup`<li class="item" data-is="open"><div>${objectName(address)}</div><div>${prose(sentenceOf(reason))}</div>${block(declares.flatMap((object) => [`+ ${object.address}`, ...object.lines.map((line) => `    ${line}`)]))}${remedy !== undefined && markup`<div class="todo">To do: ${prose(remedy)}</div>`}</li>
`;
}

export function diagnosticRows(diagnostics: readonly Diagnostic[]): Markup {
  return rows(
    sortDiagnostics(diagnostics)
      .map(toShare)
      .map(
        ({ code, severity, summary, detail, address, source, frame }) =>
          markup`<li class="item" data-is="open"><div class="row"><span class="badge ${severity === 'error' ? 'delete' : severity === 'warning' && 'update'}">${severityWord(severity)} ${escapeText(code, 10)}</span><span class="what"><strong>${prose(escapeText(summary))}</strong></span>${place(source)}</div>${address !== undefined && markup`<div>${objectName(address)}</div>`}<div>${prose(showProse(detail, 4000))}</div>${frame !== undefined && block(escapeBlock(frame))}</li>
`,
      ),
  );
}

/** With a capital and a full stop. */
export function sentenceOf(text: string): string {
  const [first = '', ...rest] = text;
  return text === '' ? '' : `${first.toUpperCase()}${rest.join('')}${/[.:!?…]$/.test(text) ? '' : '.'}`;
}

export function tile(count: number, words: string, tone: string, anchor?: string): Part {
  const inside = markup`<strong>${count}</strong> <span>${words}</span>`;
  return anchor === undefined
    ? markup`<div class="${tone}">${inside}</div>`
    : markup`<a class="${tone}" href="#${anchor}">${inside}</a>`;
}

/** Search, shown by the script. `chips`: what can be shown alone. */
export function tools(chips: readonly { readonly only: string; readonly words: string }[]): Markup {
  return markup`<div class="tools" role="search" hidden><input type="search" aria-label="Search this report" placeholder="Search names, fields, values, files ( / )" autocomplete="off" spellcheck="false">${chips.map(
    ({ only, words }) => markup`<button type="button" data-only="${only}" aria-pressed="false">${words}</button>`,
  )}<button type="button" class="fold">Unfold all</button><span role="status"></span></div>`;
}

/** `2026-11-22 10:00 UTC`. */
export function madeAt(nowMs: number): Markup {
  const iso = new Date(nowMs).toISOString();
  return markup`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
