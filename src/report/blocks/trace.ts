// What the rules of a site say of one request, as blocks: what is certain of the answer, then each rule in its order.
import type { JsonObject } from '../../model/json.ts';
import type { Trace, Traced, TracedRequest, TriedTest, Truth, Verdict } from '../../model/plan/trace.ts';
import { plural } from '../../model/common/count.ts';
import { capital } from '../../model/common/sentence.ts';
import { escapeText } from '../view/escape.ts';
import { nounOf, nounsOf } from '../view/names.ts';
import { flow } from '../view/values.ts';
import type { Block, Item, Line, Report } from './block.ts';
import { joined, marked, nameOf, paragraph } from './block.ts';

export interface ShownTrace {
  readonly trace: Trace;
  readonly request: TracedRequest;
  /** By the rules of the account, and not by those of manifests. */
  readonly live: boolean;
}

export function traceReport({ trace, request, live }: ShownTrace): Report {
  const { root, kinds, answer, unless, times, notRead } = trace;
  const title = `${request.method ?? 'GET'} ${escapeText(request.url.href, 2000)}`;
  return {
    what: 'trace',
    title,
    blocks: [
      { is: 'heading', line: [title] },
      paragraph('By the rules of ', nameOf(root), live ? ' as they are live.' : ' in the manifests.'),
      ...verdictBlocks(answer),
      ...(unless.length === 0 ? [] : [paragraph('Unless Shield comes in between:'), sentences(unless)]),
      ...timeBlocks(times),
      ...kinds.map(({ kind, entries }): Block => ({
        is: 'section',
        title: capital(entries[0]?.name === null ? nounOf(kind) : nounsOf(kind)),
        anchor: kind,
        blocks: entries.length === 0 ? [paragraph('None.')] : [{ is: 'list', items: entries.map(itemOf) }],
      })),
      ...(notRead.length === 0
        ? []
        : [
            paragraph(
              `Not known, because ${live ? 'they could not all be read' : 'no manifest has all of them'}: ${notRead.map((field) => `\`${field}\``).join(', ')}.`,
            ),
          ]),
      paragraph(
        'Rules are listed in their order. In which order the platform carries them out is not documented. The managed rules of the WAF, DDoS protection, bot detection and the origin are not considered.',
      ),
    ],
  };
}

/** Every test in one line; what is wrong stands in the diagnostics beside them. */
export function testsReport(tests: readonly TriedTest[]): Report {
  const failed = tests.filter(({ failures }) => failures.length > 0).length;
  const title =
    tests.length === 0
      ? 'No manifest has tests.'
      : `${plural(tests.length, 'test')}: ${failed === 0 ? 'all pass' : `${failed} failed`}.`;
  return {
    what: 'test',
    title,
    blocks: [
      { is: 'heading', line: [title] },
      {
        is: 'list',
        items: tests.map(({ root, url, failures }) => ({
          line: [
            failures.length === 0 ? marked('good', 'passed') : marked('bad', 'FAILED'),
            '  ',
            nameOf(root),
            `  ${escapeText(url, 500)}`,
          ],
        })),
      },
    ],
  };
}

function sentences(texts: readonly string[]): Block {
  return { is: 'list', items: texts.map((text) => ({ line: [escapeText(text, 2000)] })) };
}

function verdictBlocks(answer: Verdict): readonly Block[] {
  if ('redirect' in answer)
    return [
      paragraph(
        marked('strong', 'Answer:'),
        ' ',
        'a redirect to ',
        marked('code', escapeText(answer.redirect, 2000)),
        '.',
      ),
    ];
  if ('unknown' in answer)
    return [
      paragraph(marked('strong', 'Answer:'), ' ', marked('careful', 'not certain'), '.'),
      sentences(answer.unknown),
    ];
  const words =
    'block' in answer
      ? 'the request is blocked'
      : 'challenge' in answer
        ? 'a challenge'
        : 'no rule answers in place of the site';
  return [paragraph(marked('strong', 'Answer:'), ` ${words}.`)];
}

const TIMES = { cacheTime: 'Kept at the edge', browserCacheTime: 'Kept by browsers' } as const;

function timeBlocks(times: Trace['times']): readonly Block[] {
  return Object.entries(TIMES).flatMap(([field, words]) => {
    const time = times[field as keyof typeof TIMES];
    if (time === undefined) return [];
    if (typeof time === 'object')
      return [paragraph(`${words}: not certain. ${escapeText(time.unknown.join(' '), 2000)}`)];
    return [paragraph(`${words}: ${time === -1 ? 'as the origin says' : time === 0 ? 'not' : `${time} s`}.`)];
  });
}

function itemOf({ name, held, does, letsPast, effect }: Traced): Item {
  const says = joined([
    ...does.map((one) => [marked('code', inWords(one))]),
    ...(effect === undefined ? [] : [[escapeText(effect, 500)]]),
  ]);
  return {
    line: [
      ...heldWord(held),
      '  ',
      ...(name === null ? [] : [marked('name', escapeText(name, 300)), ...(says.length === 0 ? [] : [': '])]),
      ...says,
    ],
    ...(letsPast !== undefined && held !== false && { about: [`lets the request past ${letsPast}`] }),
    ...(typeof held === 'object' && { about: [`not known: ${escapeText(held.unknown.join(', '), 1000)}`] }),
  };
}

function heldWord(held: Truth): Line {
  if (held === true) return [marked('good', 'yes')];
  return held === false ? [marked('faint', 'no ')] : [marked('careful', '?  ')];
}

/** `redirect: { to: ..., status: 308 }`, as a manifest has it. */
function inWords(value: JsonObject): string {
  return Object.entries(value)
    .map(([key, inner]) => `${key}: ${flow(inner)}`)
    .join(', ');
}
