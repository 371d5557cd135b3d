// How single values on the command line are spelt; what cannot be read is refused with an example.
import { isIP, isIPv6 } from 'node:net';
import { InvalidArgumentError } from 'commander';
import { addressFrom, parseAddress } from '../model/address.ts';
import type { Shard } from '../model/plan/fleet.ts';
import type { Approvable } from '../model/plan/plan.ts';
import { APPROVABLE } from '../model/plan/plan.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `90s`, `20m`, `1h`, `500ms`: milliseconds. */
export function parseDuration(text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const durationMs = Number(number) * (UNITS[unit] ?? Number.NaN);
  if (!Number.isFinite(durationMs) || durationMs <= 0)
    throw new InvalidArgumentError('A duration is a number with a unit: 90s, 20m, 1h.');
  return durationMs;
}

/** How far back: `30m`, `6h`, `3d`. Milliseconds. */
export function parseSpan(text: string): number {
  const [, days] = /^([1-9]\d{0,3})d$/.exec(text) ?? [];
  if (days !== undefined) return Number(days) * 24 * 3_600_000;
  if (!/^[1-9]\d{0,5}[mh]$/.test(text))
    throw new InvalidArgumentError('A span of time is a number with a unit: 30m, 6h, 3d.');
  return parseDuration(text);
}

/** 0 or more. */
export function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a whole number, 0 or more.');
  return Number(text);
}

/** `15.00EUR`, `15 EUR`: as `15.00 EUR`. */
export function parseMoney(text: string): string {
  const [, amount, currency] = /^(\d{1,9}(?:\.\d{1,2})?) ?([A-Z]{3})$/.exec(text) ?? [];
  if (amount === undefined || currency === undefined)
    throw new InvalidArgumentError('It is an amount and a currency: 15.00EUR.');
  return `${amount} ${currency}`;
}

/** `create,update,exposure`: each once, in any order. */
export function parseApprovable(text: string): readonly Approvable[] {
  const words = text.split(',').map((word) => word.trim());
  const named = APPROVABLE.filter((word) => words.includes(word));
  if (named.length !== words.length)
    throw new InvalidArgumentError(
      'It is a list of create, update, delete, lapse, exposure, primary and irreversible, separated by commas.',
    );
  return named;
}

/** `2026-01-31`: a day that there is. */
export function parseDay(text: string): string {
  const atMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(atMs) || new Date(atMs).toISOString().slice(0, 10) !== text)
    throw new InvalidArgumentError('A day is a year, a month and a day of the month: 2026-01-31.');
  return text;
}

/** 1 to 256. */
export function parseParallelism(text: string): number {
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > 256) throw new InvalidArgumentError('It is a whole number from 1 to 256.');
  return number;
}

/** `3/8`: the third of eight parts. */
export function parseShard(text: string): Shard {
  const [, index, of] = (/^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? []).map(Number);
  if (index === undefined || of === undefined || index < 1 || of > 256 || index > of)
    throw new InvalidArgumentError('A part is a number and how many there are, such as 3/8.');
  return { index, of };
}

/** More than 0 a second, up to 1000. */
export function parseRate(text: string): number {
  const rate = /^\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (!(rate > 0 && rate <= 1000))
    throw new InvalidArgumentError('It is a number of requests a second, above 0 and up to 1000.');
  return rate;
}

export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('A port is 0 (any free one) to 65535.');
  return port;
}

/** Where a server listens. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** `127.0.0.1:9090`, `[::1]:9090`, `:9090` for every address of this machine. */
export function parseListen(text: string): ListenAddress {
  const [, bracketed, plain = '', port = ''] = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]]*)):(\d{1,5})$/.exec(text) ?? [];
  if (port === '') throw new InvalidArgumentError('It is an address and a port, such as 127.0.0.1:9090.');
  return { host: bracketed ?? (plain === '' ? '127.0.0.1' : plain), port: parsePort(port) };
}

export function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (text !== '' && url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new InvalidArgumentError('It is an http or https URL.');
  if (url !== undefined && (url.username !== '' || url.password !== ''))
    throw new InvalidArgumentError('A URL holds no credentials; the token comes from HOSTWRIGHT_TOKEN.');
  return text;
}

/** For a repeatable option: the addresses so far, and this one. */
export function collectAddress(written: string, previous: readonly string[]): readonly string[] {
  const text = addressFrom(written);
  if (parseAddress(text) === undefined)
    throw new InvalidArgumentError(
      'An address is Kind/name, then /Kind/name for each level below: Site/shop/SiteDomain/www.example.com.',
    );
  return [...previous, text];
}

/** For a repeatable option: the addresses or globs so far, and this one. */
export const collectTarget = collectPattern(
  'An address is Kind/name, then /Kind/name for each level below, perhaps with wildcards: Site/shop/SiteDomain/www.example.com, Site/*/Caching.',
);

/** For a repeatable option: the addresses or globs so far, perhaps with fields, and this one. */
export const collectIgnore = collectPattern(
  'It is an address, perhaps with wildcards, and perhaps # and a pointer to a field: Site/shop/Caching, Site/*/Caching, Site/shop/Caching#/smartCache.',
);

function collectPattern(refusal: string) {
  return (text: string, previous: readonly string[]): readonly string[] => {
    // The matcher refuses longer ones, and none begins otherwise.
    if (!/^[A-Z*]/.test(text) || text.length > 2000) throw new InvalidArgumentError(refusal);
    return [...previous, addressFrom(text)];
  };
}

/** For a repeatable option: the filters so far, and this one. */
export function collectFilter(
  text: string,
  previous: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name = '', value = ''] = /^([a-z_]+)=(.+)$/s.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError('A filter is a name and a value: status=404.');
  return { ...previous, [name]: value };
}

/** For a repeatable option: the texts so far, and this one. */
export function collectText(text: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, text];
}

/** 1 or more. */
export function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It is a whole number, 1 or more.');
  return Number(text);
}

export function parseDays(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError('It is a number of days, from 1 to 999.');
  return Number(text);
}

export function parseOneAddress(text: string): string {
  return collectAddress(text, [])[0] as string;
}

/** For a repeatable option: the name servers so far, and this one. */
export function collectResolver(text: string, previous: readonly string[]): readonly string[] {
  const [, inBrackets, plain, port = '53'] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const isAddress = isIP(text) !== 0 || (inBrackets === undefined ? isIP(plain ?? '') !== 0 : isIPv6(inBrackets));
  if (!isAddress || Number(port) < 1 || Number(port) > 65_535)
    throw new InvalidArgumentError(
      'A name server is an address, with a port if need be: 192.0.2.53, [2001:db8::53]:5353.',
    );
  return [...previous, text];
}

const REPORT_FORMS = ['json', 'markdown', 'html', 'outputs', 'codequality', 'junit', 'terraform', 'sarif'] as const;

/** Where a result goes once more, and in which form. */
export interface ReportFile {
  readonly form: (typeof REPORT_FORMS)[number];
  readonly file: string;
}

/** `markdown=plan.md`, collected. */
export function collectReport(text: string, before: readonly ReportFile[] = []): readonly ReportFile[] {
  const at = text.indexOf('=');
  const form = REPORT_FORMS.find((known) => known === text.slice(0, at));
  const file = text.slice(at + 1);
  if (form === undefined || file === '')
    throw new InvalidArgumentError(
      `It is a form and a file, such as markdown=plan.md. Forms: ${REPORT_FORMS.join(', ')}.`,
    );
  return [...before, { form, file }];
}

/** `12`, `12,14`: numbers of pull requests or merge requests; none of an empty text. */
export function parsePulls(text: string): readonly number[] {
  const numbers = text === '' ? [] : text.split(',').map((part) => part.trim());
  if (!numbers.every((number) => /^[1-9]\d{0,9}$/.test(number)))
    throw new InvalidArgumentError(
      'It is the number of a pull request or merge request, or several separated by commas: 12,14.',
    );
  return numbers.map(Number);
}

/** What a Terraform configuration calls a provider. */
export interface ProviderSource {
  readonly host: string;
  readonly namespace: string;
}

/** `hostwright/hostwright`, `tf.example.com/acme/hostwright`: without a host it is that of the public registry. */
export function parseProviderSource(text: string): ProviderSource {
  const [, host = 'registry.terraform.io', namespace = ''] =
    /^(?:([a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?)\/)?([a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)\/hostwright$/.exec(text) ??
    [];
  if (namespace === '')
    throw new InvalidArgumentError(
      'It is a namespace and the name, with a host before them or without: hostwright/hostwright, tf.example.com/acme/hostwright.',
    );
  return { host, namespace };
}
