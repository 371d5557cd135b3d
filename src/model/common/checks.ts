// Checks of values that were read from a store: whether they have the members that their type says, and no others.
import { parseAddress } from '../address.ts';
import type { Json } from '../json.ts';
import { isJsonObject } from '../json.ts';

/** Returns true if a value, or the absence of one, is as its type says. */
export type Check = (value: Json | undefined) => boolean;

export const isText: Check = (value) => typeof value === 'string';
export const isAddress: Check = (value) => typeof value === 'string' && parseAddress(value) !== undefined;
export const isFlag: Check = (value) => typeof value === 'boolean';
export const isTrue: Check = (value) => value === true;
/** A time in epoch milliseconds that a date can have. */
export const isTime: Check = (value) => typeof value === 'number' && Math.abs(value) <= 8_640_000_000_000_000;
export const isWholeNumber: Check = (value) => Number.isSafeInteger(value);
export const anything: Check = (value) => value !== undefined;

export const oneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);

export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

export const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every((item: Json) => check(item));

/** An object whose keys are any text, and whose values are as the check says. */
export const recordOf =
  (check: Check, isKey: Check = isText): Check =>
  (value) =>
    isJsonObject(value) && Object.entries(value).every(([key, item]) => isKey(key) && check(item));

/** An object that has these members, each as its check says, and no others. */
export const objectOf =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isJsonObject(value) &&
    Object.keys(value).every((key) => Object.hasOwn(checks, key)) &&
    Object.entries(checks).every(([key, check]) => check(value[key]));
