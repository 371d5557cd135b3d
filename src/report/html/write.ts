// Blocks as one page: the first words above, a section each below, everything findable by the search, and the last line
// at the foot.
import type { Address } from '../../model/address.ts';
import { parseAddress, rootOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { sortDiagnostics, toShare } from '../../model/diagnostic.ts';
import type { Action, Verb } from '../../model/plan/plan.ts';
import { showTime } from '../view/drift.ts';
import type { Block, Details, Item, Line, Report, Section, Span } from '../blocks/block.ts';
import { plainLine, wholeLine } from '../blocks/block.ts';
import { severityWord, showSource } from '../view/document.ts';
import { escapeBlock, escapeText } from '../view/escape.ts';
import { nounOf, showAddress, showProse } from '../view/names.ts';
import type { ShownChange } from '../view/values.ts';
import { markup } from './markup.ts';
import type { Markup, Part } from './markup.ts';
import { writePage } from './page.ts';
import { orderSection, VERB_NAMES } from './picture.ts';

const NAME_LIMIT = 300;
/** What a page can be filtered by, in words. */
const CHIPS: Readonly<Record<string, string>> = {
  create: 'Create',
  update: 'Change',
  delete: 'Delete',
  risk: 'With a risk',
  open: 'Not done',
  done: 'Done',
  failed: 'Failed',
  locked: 'Locked',
  drifted: 'Drifted',
  waiting: 'Waiting',
  person: 'Waits for a person',
  'in-order': 'In order',
  'never-run': 'Never run',
};
const ACCOUNT_CHIPS = ['failed', 'locked', 'drifted', 'waiting', 'person', 'in-order', 'never-run'] as const;

/** What its accounts are like changes while it is looked at. */
function isRenewed(tags: ReadonlySet<string>, live: string | undefined): boolean {
  return live !== undefined && ACCOUNT_CHIPS.some((tag) => tags.has(tag));
}

/** `live`: where the server is that tells of changes, seen from the page. */
export function writeHtml({ what, title, blocks, isSearched }: Report, nowMs: number, live?: string): string {
  const first = blocks.findIndex(({ is }) => is !== 'heading' && is !== 'paragraph');
  const above = first < 0 ? blocks : blocks.slice(0, first);
  const below = first < 0 ? [] : blocks.slice(first);
  const last = below.at(-1);
  const foot = last?.is === 'paragraph' ? [last] : [];
  const tags = new Set<string>();
  const count = collectTags(below, tags);
  return writePage({
    title,
    head: [
      markup`<p class="eyebrow">Hostwright ${what} · ${madeAt(nowMs)}</p>`,
      ...above.map((block) =>
        block.is === 'heading'
          ? markup`<h1>${lineOf(block.line)}</h1>`
          : block.is === 'paragraph' && markup`<p class="lead">${lineOf(block.line)}</p>`,
      ),
    ],
    main: [
      ...below.slice(0, isSearched === true ? 0 : 1).map(topBlock),
      count > 0 && tools(isRenewed(tags, live) ? ACCOUNT_CHIPS : [...tags].filter((tag) => Object.hasOwn(CHIPS, tag))),
      ...below.slice(isSearched === true ? 0 : 1, foot.length === 0 ? undefined : -1).map(topBlock),
    ],
    foot: foot.map((block) => markup`<p>${lineOf(block.line)}</p>`),
    ...(live !== undefined && { live }),
  });
}

/** How many entries there are to search, and what they are. */
function collectTags(blocks: readonly Block[], tags: Set<string>): number {
  return blocks.reduce((sum, block) => {
    if (block.is === 'details') {
      for (const tag of block.tags ?? []) tags.add(tag);
      return sum + 1 + collectTags(block.blocks, tags);
    }
    if (block.is === 'section') return sum + collectTags(block.blocks, tags);
    if (block.is !== 'list') return sum + (block.is === 'table' || block.is === 'diagnostics' ? 1 : 0);
    for (const { tags: own = [] } of block.items) for (const tag of own) tags.add(tag);
    return sum + block.items.length;
  }, 0);
}

/** Search, shown by the script. */
function tools(chips: readonly string[]): Markup {
  return markup`<div class="tools" role="search" hidden><input type="search" aria-label="Search this report" placeholder="Search names, fields, values, files ( / )" autocomplete="off" spellcheck="false">${chips.map(
    (only) => markup`<button type="button" data-only="${only}" aria-pressed="false">${CHIPS[only]}</button>`,
  )}<button type="button" class="fold">Unfold all</button><span role="status"></span></div>`;
}

function topBlock(block: Block): Part {
  if (block.is === 'section') return sectionOf(block);
  if (block.is === 'picture') return orderSection(block.of, anchorsOf(block.of));
  return markup`<section class="group">${blockOf(block, true)}</section>`;
}

/** Of each root where its first action stands. */
function anchorsOf(actions: readonly Action[]): ReadonlyMap<Address, string> {
  const anchors = new Map<Address, string>();
  actions.forEach(({ address }, index) => {
    if (!anchors.has(rootOf(address))) anchors.set(rootOf(address), `a${index + 1}`);
  });
  return anchors;
}

function sectionOf({ title, count, meaning, anchor, isAlarm, blocks }: Section): Markup {
  const heading = title !== '' && markup`<h2>${title}${count !== undefined && ` (${count})`}</h2>`;
  return markup`<section id="${anchor}" class="group${isAlarm === true && ' danger'}">${heading}${meaning !== undefined && markup`<p>${lineOf(meaning)}</p>`}${blocksOf(blocks, true)}</section>
`;
}

/** Actions that stand below each other share a card. */
function blocksOf(blocks: readonly Block[], isTop: boolean): readonly Part[] {
  const parts: Part[] = [];
  let items: Markup[] = [];
  const end = (): void => {
    if (items.length > 0) parts.push(markup`<ul class="card rows">${items}</ul>`);
    items = [];
  };
  for (const block of blocks) {
    if (block.is === 'details' && block.tags !== undefined) items.push(actionItem(block, block.tags));
    else {
      end();
      parts.push(blockOf(block, isTop));
    }
  }
  end();
  return parts;
}

function blockOf(block: Block, isTop: boolean): Part {
  switch (block.is) {
    case 'heading':
      return markup`<h2>${lineOf(block.line)}</h2>`;
    case 'paragraph':
      return markup`<p>${lineOf(block.line)}</p>`;
    case 'advice':
      return markup`<div class="todo">To do: ${lineOf(block.line)}</div>`;
    case 'section':
      return markup`<h3>${block.title}${block.count !== undefined && ` (${block.count})`}</h3>${blocksOf(block.blocks, isTop)}`;
    case 'details':
      return markup`<details class="${isTop ? 'card group' : 'more'}"${block.anchor !== undefined && markup` id="${block.anchor}"`}${block.isOpen === true && markup` open`}><summary class="row"><span class="what">${lineOf(block.line)}</span>${briefOf(block)}</summary><div class="inside">${blocksOf(block.blocks, false)}</div></details>
`;
    case 'list':
      return markup`<ul class="${isTop ? 'card rows' : 'plain'}">${block.items.map((item) => itemOf(item, isTop))}</ul>`;
    case 'table':
      return markup`<div class="wide${isTop && ' card'}${block.isUneven === true && ' uneven'}"><table><thead><tr>${block.heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead><tbody>${block.rows.map(
        (row) =>
          markup`<tr class="item">${row.map((cell) => markup`<td>${lineOf(cell)}</td>`)}</tr>
`,
      )}</tbody></table></div>`;
    case 'changes':
      return changesTable(block.of(-1), block.verb);
    case 'code':
      return codeOf(block.lines);
    case 'diagnostics':
      return markup`<ul class="${isTop ? 'card rows' : 'rows'}">${sortDiagnostics(block.of).map(toShare).map(diagnosticItem)}</ul>`;
    case 'picture':
      return undefined;
  }
}

function actionItem(block: Details, tags: readonly string[]): Markup {
  const { anchor = '', isOpen, line, blocks } = block;
  return markup`<li class="item" data-is="${tags.join(' ')}"><details class="act" id="${anchor}"${isOpen === true && markup` open`}><summary class="row"><span class="what">${lineOf(line)}</span>${briefOf(block)}</summary><div class="inside">${blocksOf(blocks, false)}</div></details></li>
`;
}

function briefOf({ brief = [], isOpen }: Details): Part {
  return plainLine(brief) !== '' && isOpen !== true && markup`<span class="soft">${lineOf(brief)}</span>`;
}

function itemOf({ about, names = [], blocks = [], tags = [], ...item }: Item, isTop: boolean): Markup {
  const which =
    names.length > 0 &&
    markup`<details class="more"><summary>Which ones</summary><ul>${names.map((name) => markup`<li>${spanOf(name)}</li>`)}</ul></details>`;
  const inside = markup`<div class="row"><span class="what">${lineOf(wholeLine(item))}</span></div>${about !== undefined && markup`<div>${lineOf(about)}</div>`}${which}${blocksOf(blocks, false)}`;
  return isTop
    ? markup`<li class="item" data-is="${tags.length === 0 ? 'other' : tags.join(' ')}">${inside}</li>
`
    : markup`<li>${inside}</li>`;
}

function diagnosticItem({ code, severity, summary, detail, address, source, frame }: Diagnostic): Markup {
  const tone = severity === 'error' ? 'delete' : severity === 'warning' && 'update';
  return markup`<li class="item" data-is="other"><div class="row"><span class="badge ${tone}">${severityWord(severity)} ${escapeText(code, 10)}</span><span class="what"><strong>${prose(escapeText(summary))}</strong></span>${source !== undefined && markup`<span class="place">${showSource(source)}</span>`}</div>${address !== undefined && markup`<div>${objectName(address)}</div>`}<div>${prose(showProse(detail, 4000))}</div>${frame !== undefined && codeOf(escapeBlock(frame))}</li>
`;
}

/** Every change of an action, each side on its own line. */
function changesTable(changes: readonly ShownChange[], verb: Verb): Part {
  if (changes.length === 0) return undefined;
  const lineWith = (mark: string, text: string): Markup =>
    mark === '+'
      ? markup`<ins class="v">${text}</ins>`
      : mark === '-'
        ? markup`<del class="v">${text}</del>`
        : markup`<span class="v same">${text}</span>`;
  const whole = { create: '+', delete: '-', update: '' }[verb];
  return markup`<table><tbody>${changes.map(({ field, inline, items = [] }) => {
    const lines =
      inline === undefined
        ? items.map(({ mark, text }) => lineWith(mark, text))
        : [whole === '' ? markup`<span class="v">${inline}</span>` : lineWith(whole, inline)];
    return markup`<tr><th scope="row"><code>${field}</code></th><td>${lines}</td></tr>`;
  })}</tbody></table>`;
}

function codeOf(lines: readonly string[]): Part {
  return (
    lines.length > 0 &&
    markup`<pre tabindex="0">${lines.map(
      (line) => markup`${line}
`,
    )}</pre>`
  );
}

function lineOf(line: Line): readonly Part[] {
  return line.map(spanOf);
}

function spanOf(span: Span): Part {
  if (typeof span === 'string') return prose(span);
  const { as, text, address, to, href } = span;
  if (href !== undefined) return markup`<a href="${href}" rel="noopener noreferrer external">${text}</a>`;
  const inside = insideOf(as, text, address);
  return to === undefined ? inside : markup`<a href="#${to}">${inside}</a>`;
}

function insideOf(as: Exclude<Span, string>['as'], text: string, address: Address | undefined): Part {
  switch (as) {
    case 'name':
      return address === undefined ? markup`<b>${text}</b>` : objectName(address);
    case 'code':
      return markup`<code>${text}</code>`;
    case 'place':
      return markup`<span class="place">${text}</span>`;
    case 'create':
    case 'update':
    case 'delete':
      return markup`<span class="badge ${as}">${VERB_NAMES[as]}</span>`;
    case 'risk':
      return markup`<span class="badge risk">${text}</span>`;
    case 'faint':
      return markup`<span class="soft">${prose(text)}</span>`;
    case 'link':
      return text;
    default:
      return markup`<strong class="${as}">${prose(text)}</strong>`;
  }
}

/** An object by kind and name, in words; its address is shown over it, and the search finds it. */
function objectName(address: Address): Markup {
  const segments = parseAddress(address);
  if (segments === undefined) return markup`<b>${escapeText(address, NAME_LIMIT)}</b>`;
  return markup`<span title="${showAddress(address)}">${segments.map(
    ({ kind, name }, index) =>
      markup`${index > 0 && ' / '}${name === null ? markup`<b>${nounOf(kind)}</b>` : markup`${nounOf(kind)} <b>${escapeText(name, NAME_LIMIT)}</b>`}`,
  )}</span>`;
}

/** Code between backticks, and addresses of https as links. No other address is one. */
function prose(text: string): readonly Part[] {
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

/** `2026-11-22 10:00 UTC`. */
function madeAt(nowMs: number): Markup {
  const iso = new Date(nowMs).toISOString();
  return markup`<time datetime="${iso}">${showTime(iso)}</time>`;
}
