// How an area defines the operations of `run`: what an operation reads first, what it asks the user, which act it carries
// out, and what it reports. Finding the object, asking, acting and waiting are the same for all operations
// (`src/usecases/act`).
import { addressOf } from '../../model/address.ts';
import type { Json } from '../../model/json.ts';
import type { Code, Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { OperationOptions, OperationRow } from '../../model/plan/operation.ts';
import type { Act, ActValues, Ending } from '../../model/plan/act.ts';
import type { DoneAct, InFlight, KeptAct, LedgerView } from '../../model/plan/ledger-view.ts';
import type { Outputs } from '../../model/plan/step.ts';
import { isRepeatableBegun } from '../../model/ledger/begun.ts';
import type { AccountReader } from './view.ts';

/** What a person is asked before an act, and told after it. */
export interface Asked {
  readonly act: Act;
  /** What happens, and what cannot be taken back. Absent: a person has agreed to it already. */
  readonly question?: string | undefined;
  /** Ends the command with nothing sent, unless an earlier run has begun the act: then it is continued. */
  readonly unlessBegun?: Ending | undefined;
  /** It was carried out: a sentence, or another ending. */
  readonly done: (end: Done) => string | Ending | Promise<string | Ending>;
  /** It was taken, and goes on; `reason` says what was waited for. Absent: the reason is told. */
  readonly waiting?: (reason: string) => string;
  /** Shown with any ending but one that `done` makes. */
  readonly values?: ActValues;
  /** Where to look for what became of it when nothing tells; whole sentences. Absent: in doing it again. */
  readonly look?: string;
  /**
   * Whether what an earlier run began is begun anew; `option`: what a person adds to the command for that. Absent: it is
   * continued.
   */
  readonly again?: { readonly option?: string; readonly given: boolean | undefined };
  /** What versions before 0.2 called it in the ledger. */
  readonly formerly?: string;
}

export interface Done {
  /** What its steps learnt. */
  readonly outputs: Outputs;
  /** The body of the last answer to a request. Absent: an earlier run sent it. */
  readonly answer?: Json | undefined;
}

/** How the platform refused a request. */
export interface Refusal {
  readonly kind: string;
  readonly status: number | null;
  readonly code: string | null;
}

/** The account that an operation works on: its reads, the user to ask, and the function that carries out an act. */
export interface OpenAccount extends AccountReader {
  /** The answer, or what `means` makes of a refusal; where it makes nothing of it, the command ends with the refusal. */
  readonly unlessRefused: <Meaning>(
    answer: Promise<Json>,
    means: (refusal: Refusal) => Meaning | undefined,
  ) => Promise<{ readonly answer: Json } | { readonly refused: Meaning }>;
  readonly now: () => number;
  /** Rejects once the command is to stop. */
  readonly sleep: (durationMs: number) => Promise<void>;
  readonly uuid: () => string;
  readonly confirm: (question: string) => Promise<boolean>;
  /** Asks, carries the act out, and says how it ended. */
  readonly run: (asked: Asked) => Promise<Ending>;
  readonly ledger: () => Promise<LedgerView>;
  /** Remembers `kept` under a name, or forgets what is remembered under it. Says in a warning why it was not written. */
  readonly remember: (name: string, kept: KeptAct | undefined) => Promise<readonly Diagnostic[]>;
}

/** One site of it. */
export interface OpenSite extends OpenAccount {
  readonly id: string;
  /** The name in the address: that of a manifest, or `id:` and the id. */
  readonly name: string;
  /** `Site/` and the name. */
  readonly address: string;
  /** For messages: the name and the id. */
  readonly label: string;
  /** Its path, without a slash at the end. */
  readonly path: string;
}

type Begun = Asked | Ending | Promise<Asked | Ending>;

/** The options of an operation, and whether the user agreed to everything in advance. */
export interface GivenOptions extends OperationOptions {
  readonly yes?: boolean;
}

export interface Operation extends OperationRow {
  /** Whether `begin` gets the site of the address, or the account. */
  readonly on: 'account' | 'site';
  /**
   * Returns the act to carry out, or the result if there is nothing to do. `name` is the name in the address. Rejects if a
   * read fails.
   */
  readonly begin: (opened: OpenAccount | OpenSite, name: string, options: GivenOptions) => Begun;
}

type Row = Pick<OperationRow, 'name' | 'does'> & Partial<OperationRow>;

/** Defines an operation on an object that is found by its id or its name on the account. Manifests are not read. */
export function onAccount(
  row: Row & Pick<OperationRow, 'kind'>,
  begin: (account: OpenAccount, name: string, options: GivenOptions) => Begun,
): Operation {
  return { takes: [], needs: [], ...row, on: 'account', begin };
}

/** Defines an operation on one site: a manifest, bound as `plan` binds it, or `Site/id:ID`. */
export function onSite(row: Row, begin: (site: OpenSite, options: GivenOptions) => Begun): Operation {
  const beginOn = (site: OpenSite, _name: string, options: GivenOptions): Begun => begin(site, options);
  return { takes: [], needs: [], ...row, kind: 'Site', on: 'site', begin: beginOn as Operation['begin'] };
}

/** Why an act is in the plan that it is. */
export const ASKED = 'a person asks for it';

/** The act of a person on one object, by its kind and id. `of`: what of it is meant; the same is the same work. */
export function actOn(
  [kind, id]: readonly [kind: string, id: string],
  what: string,
  {
    of = null,
    verb = 'update',
    steps,
  }: Partial<Pick<Act, 'verb'>> & Pick<Act, 'steps'> & { readonly of?: string | null },
): Act {
  return { address: addressOf(addressOf(null, kind, id), what, of), verb, reason: ASKED, steps };
}

/** What an earlier run has begun of an act and not ended; what may simply be sent again counts as not begun. */
export function begunIn({ inFlight }: LedgerView, { address }: Act): InFlight | undefined {
  return inFlight.find(({ action }) => action.address === address && !isRepeatableBegun(action));
}

/** What is remembered under a name. */
export function rememberedAs({ doneActs = [] }: LedgerView, name: string): DoneAct | undefined {
  return doneActs.find(({ act }) => act === name);
}

/** Ends with an error. */
export function failed(code: Code, detail: string): Ending {
  return { outcome: 'error', diagnostics: [diagnose(code, detail)] };
}

/** What is asked for does not go with what is there. */
export function cannot(detail: string): Ending {
  return failed('HW4587', detail);
}

/** Nobody agreed to it. */
export function notConfirmed(): Ending {
  return { outcome: 'refused', diagnostics: [diagnose('HW6103', 'Nothing was sent.')] };
}

/** Ends with a warning: it may be possible later. */
export function waiting(code: Code, detail: string): Ending {
  return { outcome: 'waiting', diagnostics: [diagnose(code, detail)] };
}

/** What somebody else has to do, or time: nothing was done. */
export function notNow(detail: string): Ending {
  return waiting('HW4503', detail);
}

/** Returns the end of an operation whose request was sent and whose outcome no read shows: a question to a person. */
export function unknownEnd(detail: string, code: 'HW4502' | 'HW4581' = 'HW4502'): Ending {
  return waiting(code, detail);
}
