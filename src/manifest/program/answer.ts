// What a program answered, held to its form: nothing in it is believed, because a program can write whatever it likes.
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, isTooDeep, parseJsonObject } from '../../model/json.ts';

/** A place as the program gives it: a path or URL that nobody has looked at. */
export interface ClaimedPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What a program can say of what it declares. */
const CODES = ['HW1505', 'HW1510', 'HW1520', 'HW1523', 'HW1525'] as const;

export interface AnsweredProblem {
  readonly code: (typeof CODES)[number];
  /** Into the props. */
  readonly pointer: string;
  readonly what: string;
}

export interface AnsweredManifest {
  readonly value: Json;
  /** The calls that made it, the innermost first. */
  readonly calls: readonly ClaimedPlace[];
  readonly problems: readonly AnsweredProblem[];
}

export interface AnsweredAccount {
  /** null: the workspace that names the program. */
  readonly name: string | null;
  readonly spec: Json;
  readonly calls: readonly ClaimedPlace[];
  readonly problems: readonly AnsweredProblem[];
  readonly manifests: readonly AnsweredManifest[];
}

export interface AnsweredFailure {
  readonly cause: 'no app' | 'syntax' | 'threw';
  readonly message: string;
  readonly frames: readonly ClaimedPlace[];
}

export interface Answer {
  readonly accounts: readonly AnsweredAccount[];
  /** What is said of constructs that are no manifests. */
  readonly groups: readonly Omit<AnsweredManifest, 'value'>[];
  readonly failure: AnsweredFailure | undefined;
  /** Files without their types, by URL. */
  readonly stripped: ReadonlyMap<string, string>;
}

/** No manifest that is read from YAML is as deep. */
const MAX_DEPTH = 129;

/** The answer in a text; undefined when it is none. */
export function answerIn(text: string): Answer | undefined {
  const value = parseJsonObject(text);
  if (value === undefined || value.format !== 'hostwright.synth/1' || isTooDeep(value, MAX_DEPTH)) return undefined;
  const { failure, accounts = [], groups = [] } = value;
  const cause = isJsonObject(failure) ? failure.cause : undefined;
  return {
    accounts: mappingsIn(accounts).map((account) => ({
      name: typeof account.name === 'string' ? account.name : null,
      spec: account.spec ?? null,
      calls: callsIn(account.calls),
      problems: problemsIn(account.problems),
      manifests: mappingsIn(account.manifests).map((manifest) => ({
        value: manifest.value ?? null,
        calls: callsIn(manifest.calls),
        problems: problemsIn(manifest.problems),
      })),
    })),
    groups: mappingsIn(groups).map(({ calls, problems }) => ({
      calls: callsIn(calls),
      problems: problemsIn(problems),
    })),
    failure:
      isJsonObject(failure) && (cause === 'no app' || cause === 'syntax' || cause === 'threw')
        ? {
            cause,
            message: textIn(failure.message),
            frames: callsIn(failure.frames),
          }
        : undefined,
    stripped: new Map(
      Object.entries(isJsonObject(value.stripped) ? value.stripped : {}).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    ),
  };
}

function textIn(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function mappingsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : [];
}

function placeIn(value: Json | undefined): ClaimedPlace | undefined {
  if (!isJsonObject(value)) return undefined;
  const { file, line, column } = value;
  const isCount = (number: Json | undefined): number is number => Number.isSafeInteger(number) && Number(number) > 0;
  return typeof file === 'string' && isCount(line) && isCount(column) ? { file, line, column } : undefined;
}

function callsIn(value: Json | undefined): readonly ClaimedPlace[] {
  return mappingsIn(value).flatMap((one) => placeIn(one) ?? []);
}

function problemsIn(value: Json | undefined): readonly AnsweredProblem[] {
  return mappingsIn(value).flatMap(({ code, pointer, what }) => {
    const known = CODES.find((one) => one === code);
    return known !== undefined && typeof pointer === 'string' ? [{ code: known, pointer, what: textIn(what) }] : [];
  });
}
