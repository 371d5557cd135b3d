// Decides how single values on the command line are spelt. What cannot be read is refused with an example.
import { InvalidArgumentError } from 'commander';
import { parseAddress } from '../model/address.ts';
import type { Verb } from '../model/plan.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `90s`, `20m`, `1h`, `500ms`: milliseconds. */
export function parseDuration(text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const durationMs = Number(number) * (UNITS[unit] ?? Number.NaN);
  if (!Number.isFinite(durationMs) || durationMs <= 0) throw new InvalidArgumentError('A duration is a number with a unit: 90s, 20m, 1h.');
  return durationMs;
}

/** 0 or more. */
export function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a whole number, 0 or more.');
  return Number(text);
}

/** `15.00EUR`, `15 EUR`: as `15.00 EUR`. */
export function parseMoney(text: string): string {
  const [, amount, currency] = /^(\d{1,9}(?:\.\d{1,2})?) ?([A-Z]{3})$/.exec(text) ?? [];
  if (amount === undefined || currency === undefined) throw new InvalidArgumentError('It is an amount and a currency: 15.00EUR.');
  return `${amount} ${currency}`;
}

const VERBS: readonly Verb[] = ['create', 'update', 'delete'];

/** `create,update`: each once, in any order. */
export function parseVerbs(text: string): readonly Verb[] {
  const words = text.split(',').map((word) => word.trim());
  const verbs = VERBS.filter((verb) => words.includes(verb));
  if (verbs.length !== words.length) throw new InvalidArgumentError('It is a list of create, update and delete, separated by commas.');
  return verbs;
}

/** 1 to 256. */
export function parseParallelism(text: string): number {
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > 256) throw new InvalidArgumentError('It is a whole number from 1 to 256.');
  return number;
}

export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('A port is 0 (any free one) to 65535.');
  return port;
}

export function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (text !== '' && url?.protocol !== 'https:' && url?.protocol !== 'http:') throw new InvalidArgumentError('It is an http or https URL.');
  if (url !== undefined && (url.username !== '' || url.password !== '')) throw new InvalidArgumentError('A URL holds no credentials; the token comes from HOSTWRIGHT_TOKEN.');
  return text;
}

/** For a repeatable option: the addresses so far, and this one. */
export function collectAddress(text: string, previous: readonly string[]): readonly string[] {
  if (parseAddress(text) === undefined) throw new InvalidArgumentError('An address is Kind/name, then /Kind/name for each level below: Site/shop/SiteDomain/www.example.com.');
  return [...previous, text];
}

export function parseOneAddress(text: string): string {
  return collectAddress(text, [])[0] as string;
}
