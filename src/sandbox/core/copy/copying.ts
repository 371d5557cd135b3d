// What each area is given to put what was read into the store of a copy.
import type { Row } from '../http/endpoint.ts';
import type { Site, State } from '../state.ts';
import type { Answers } from './answers.ts';

export interface Copying {
  readonly state: State;
  readonly answers: Answers;
  /** The account that it was read for. */
  readonly accountId: string;
  /** When it was read. */
  readonly nowMs: number;
  /** Says how the account reads something that the documents leave open: the answers show it. */
  readonly settle: (ambiguity: string, reading: string) => void;
}

/** None where the list of sites was not read. */
export function knownSites({ answers, state }: Copying): readonly Site[] {
  return answers.rows('/api/sites', 'sites') === undefined ? [] : [...state.sites.values()];
}

/** How an empty text reads, where a row shows one. */
export function settleEmptyText({ settle }: Pick<Copying, 'settle'>, row: Row, key: string): void {
  if (!(key in row)) settle('emptyTexts', 'absent');
  else if (row[key] === null) settle('emptyTexts', 'null');
  else if (row[key] === '') settle('emptyTexts', 'text');
}

/** How an empty list reads, where a row shows one. */
export function settleEmptyList({ settle }: Pick<Copying, 'settle'>, ...lists: readonly unknown[]): void {
  if (lists.includes(null)) settle('emptyLists', 'null');
}
