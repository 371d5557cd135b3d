// Decides how faults are written on a command line. Must not decide what they do.
//
//   faults   := fault ("," fault)*
//   fault    := percent                          that share of all requests meets with an accident, drawn from a mix
//             | kind [":" status] ["@" where] (":" option)*
//   where    := number                           request number n, counted from 1
//             | percent                          a share of the requests that fit
//   option   := "retry-after=" text | "delay=" ms | "times=" n | "seed=" n | "method=" verb | "path=" prefix or * pattern
//   percent  := number "%"
//   kind     := reset-before | reset-after | status-before | status-after | html | truncate | garbage | slow | hang | not-a-list
//
// For example: reset-after@3,status-before:429@5:retry-after=2,slow:path=/api/domains:delay=200,5%
import { FAULT_KINDS, checkFault } from './faults.ts';
import type { Fault, FaultKind } from './faults.ts';

/** What a bare percentage stands for. */
const MIX: readonly Fault[] = [
  { kind: 'reset-before' },
  { kind: 'reset-after' },
  { kind: 'status-before', status: 503 },
  { kind: 'status-before', status: 429, retryAfter: '1' },
  { kind: 'status-after', status: 502 },
];

type Draft = { -readonly [Key in keyof Fault]: Fault[Key] };

export function parseFaults(text: string): readonly Fault[] {
  const parts = text.split(',').map((part) => part.trim()).filter((part) => part !== '');
  return parts.flatMap((part) => {
    const share = percent(part);
    if (share === undefined) return [parseFault(part)];
    checkFault({ kind: 'reset-before', probability: share });
    // Faults are tried one after the other: each gets its part of what the ones before it left.
    return MIX.map((fault, index) => ({ ...fault, probability: share / MIX.length / (1 - (share * index) / MIX.length) }));
  });
}

function parseFault(part: string): Fault {
  const [head = '', ...options] = part.split(':');
  // The place may stand behind the kind or behind the status: `slow@2` and `status-before:429@2`.
  const [kind = '', ...places] = head.split('@');
  if (!isKind(kind)) throw problem(part, `'${kind}' is no fault; there are: ${FAULT_KINDS.join(', ')}`);
  const draft: Draft = { kind };
  let place = places[0];
  if (/^\d/.test(options[0] ?? '')) {
    const [status = '', afterStatus] = (options.shift() ?? '').split('@');
    draft.status = wholeNumber(part, 'the status', status);
    place = afterStatus ?? place;
  }
  if (place !== undefined) applyPlace(part, draft, place);
  for (const option of options) applyOption(part, draft, option);
  try {
    checkFault(draft);
  } catch (error) {
    throw problem(part, (error as Error).message);
  }
  return draft;
}

function isKind(text: string): text is FaultKind {
  return (FAULT_KINDS as readonly string[]).includes(text);
}

function applyPlace(part: string, draft: Draft, place: string): void {
  const share = percent(place);
  if (share === undefined) draft.at = wholeNumber(part, 'the request number after @', place);
  else draft.probability = share;
}

function applyOption(part: string, draft: Draft, option: string): void {
  const equals = option.indexOf('=');
  const [name, value] = equals === -1 ? [option, ''] : [option.slice(0, equals), option.slice(equals + 1)];
  if (value === '') throw problem(part, `'${option}' is no option of the form name=value`);
  switch (name) {
    case 'retry-after': draft.retryAfter = value; return;
    case 'delay': draft.delayMs = wholeNumber(part, 'delay', value); return;
    case 'times': draft.times = wholeNumber(part, 'times', value); return;
    case 'seed': draft.seed = wholeNumber(part, 'seed', value); return;
    case 'method': draft.match = { ...draft.match, method: value.toUpperCase() }; return;
    case 'path': draft.match = { ...draft.match, path: value }; return;
    default: throw problem(part, `'${name}' is no option; there are: retry-after, delay, times, seed, method, path`);
  }
}

function percent(text: string): number | undefined {
  const number = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1];
  return number === undefined ? undefined : Number(number) / 100;
}

function wholeNumber(part: string, what: string, text: string): number {
  if (!/^\d+$/.test(text)) throw problem(part, `${what} is a whole number, not '${text}'`);
  return Number(text);
}

function problem(part: string, message: string): Error {
  return new Error(`fault '${part}': ${message}`);
}
