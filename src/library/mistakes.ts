// Validates the options of a call, for callers whose compiler does not. A misspelt option would be ignored (`target` for
// `targets` would apply the whole workspace), a limit that is not a number would limit nothing, and a rate of 0 would wait
// forever.
import { isIP } from 'node:net';
import { didYouMean } from '../model/format.ts';
import { APPROVABLE } from '../model/plan/plan.ts';
import { parsePrice } from '../model/price.ts';

const isText = (value: unknown): value is string => typeof value === 'string';
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isTexts = (value: unknown): boolean => isList(value) && value.every(isText);
const isWhole = (least: number) => (value: unknown) => Number.isSafeInteger(value) && Number(value) >= least;
const isAbove = (value: unknown): boolean => typeof value === 'number' && value > 0;
const isDuration = (value: unknown): boolean => typeof value === 'number' && value >= 0;

function isWebAddress(value: unknown): boolean {
  if (!isText(value) || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

type Rule = readonly [is: (value: unknown) => boolean, what: string];
const TEXT: Rule = [isText, 'a text'];
const TEXTS_BY_NAME: Rule = [
  (value) => typeof value === 'object' && value !== null && isTexts(Object.values(value)),
  'an object of texts by their names',
];
const FUNCTION: Rule = [(value) => typeof value === 'function', 'a function'];
const TEXTS: Rule = [isTexts, 'a list of texts'];
const COUNT: Rule = [isWhole(0), 'a whole number, 0 or more'];
const AT_LEAST_ONE: Rule = [isWhole(1), 'a whole number, 1 or more'];
const ABOVE: Rule = [isAbove, 'a number above 0'];
const DURATION: Rule = [isDuration, 'a number of milliseconds, 0 or more'];

const RULES: Readonly<Record<string, Rule>> = {
  token: TEXT,
  paths: TEXTS,
  targets: TEXTS,
  ignore: TEXTS,
  expect: TEXTS,
  approve: [
    (value) => isList(value) && value.every((word) => (APPROVABLE as readonly unknown[]).includes(word)),
    `a list of ${APPROVABLE.join(', ')}`,
  ],
  confirm: FUNCTION,
  onEvent: FUNCTION,
  onSecret: FUNCTION,
  url: [isWebAddress, 'an http or https address without credentials'],
  method: [(value) => isText(value) && /^[a-z]{1,32}$/i.test(value), 'one word of letters, such as POST'],
  country: [(value) => isText(value) && /^[a-z]{2}$/i.test(value), 'two letters, such as NL'],
  ip: [(value) => isText(value) && isIP(value) > 0, 'an IP address'],
  headers: TEXTS_BY_NAME,
  cookies: TEXTS_BY_NAME,
  allowDeletes: COUNT,
  allowCharges: COUNT,
  maxSpend: [
    (value) => typeof value === 'string' && parsePrice(value) !== undefined,
    'an amount and a currency, such as 15.00 EUR',
  ],
  limit: AT_LEAST_ONE,
  parallelism: AT_LEAST_ONE,
  maxRps: ABOVE,
  timeoutMs: ABOVE,
  lockTimeoutMs: DURATION,
  deadlineMs: DURATION,
};

/** The options of a call. Its keys are complete: the compiler compares them with the type of the options. */
export type OptionNames<Options> = Readonly<Record<keyof Required<Options>, true>>;

/**
 * Returns an error for the first option that does not exist or has a value of another type than documented. Undefined: all
 * are valid.
 */
export function mistakeIn<Options extends object>(
  options: Options | undefined,
  names: OptionNames<Options>,
): TypeError | undefined {
  const given: Readonly<Record<string, unknown>> = { ...options };
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(names, name));
  if (unknown !== undefined)
    return new TypeError(`There is no option ${unknown}.${didYouMean(unknown, Object.keys(names))}`);
  if (Object.hasOwn(names, 'cwd') && !isText(given.cwd))
    return new TypeError('cwd is the folder of the workspace, or one in it.');
  const wrong = Object.keys(RULES).find((name) => given[name] !== undefined && RULES[name]?.[0](given[name]) === false);
  return wrong === undefined ? undefined : new TypeError(`${wrong} has to be ${RULES[wrong]?.[1]}.`);
}
