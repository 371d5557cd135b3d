// The use cases `registration transfer-out`, `registration push-transfer` and `registration epp-code`: how a name leaves
// the account. Only a person decides that (REG-29, REG-30). A push is written to the ledger: nothing that can be read
// proves that a lost one never left.
import type { JsonObject } from '../../model/json.ts';
import { valueAt } from '../../model/json.ts';
import { quote } from '../../model/format.ts';
import { ApiError } from '../../platform/api-error.ts';
import type { Decision } from '../../areas/index.ts';
import { registrationActs } from '../../areas/index.ts';
import type { Confirm } from '../act/run-act.ts';
import { cannot, isBegun, notConfirmed, notNow, runAct } from '../act/run-act.ts';
import type { Session } from '../session.ts';
import type { Ending, SiteResult } from '../site/open-site.ts';
import { readRegistration, withRegistration } from './find.ts';

export type { Decision } from '../../areas/index.ts';

export interface Decided {
  readonly registration: string;
  readonly decision: Decision;
}

export interface Pushed {
  readonly registration: string;
  readonly to: string;
}

export interface EppCode {
  readonly registration: string;
  readonly code: string;
}

/** Approves or rejects a transfer that somebody has asked for. */
export function transferOut(
  session: Session,
  wanted: string,
  decision: Decision,
  confirm: Confirm,
): Promise<SiteResult<Decided>> {
  return withRegistration(session, wanted, async (registration): Promise<Ending<Decided>> => {
    const { name, id, row } = registration;
    const act = registrationActs.decideTransfer(id, decision);
    if (row.transfer_out_pending !== true && !(await isBegun(registration, act)))
      return cannot(
        `Nobody has asked for ${name} to be transferred away, or it has been decided. Nothing was sent. If you know better, \`hostwright registration refresh ${name}\` asks the registry.`,
      );
    const seen = tellTransfer(await readRegistration(registration));
    const value = { registration: name, decision };
    const done =
      decision === 'approve'
        ? `The transfer of ${name} away is approved. The name leaves this account: remove its manifest.`
        : `The transfer of ${name} away is rejected. The name stays here. If none of you asked for it, write \`locked: true\` in its manifest.`;
    return runAct<Decided>(
      registration,
      act,
      {
        question:
          decision === 'approve'
            ? `Approve the transfer of ${name} away?${seen} The name leaves this account, and nothing here brings it back.`
            : `Reject the transfer of ${name} away?${seen} The name stays here, and whoever asked for it has to ask again.`,
        done: () => ({ outcome: 'done', value, message: done }),
        waiting: () =>
          `The decision was accepted, and the registrar still works on it. \`hostwright registration refresh ${name}\` asks again.`,
        value,
        look: 'Running the command again does no harm: the platform refuses a decision where there is nothing to decide.',
      },
      confirm,
    );
  });
}

/** Hands a name over to another holder at the registrar, without a code (REG-30). */
export function pushTransfer(
  session: Session,
  wanted: string,
  options: { readonly to: string; readonly again?: boolean },
  confirm: Confirm,
): Promise<SiteResult<Pushed>> {
  return withRegistration(session, wanted, async (registration): Promise<Ending<Pushed>> => {
    const { name, id, row } = registration;
    const { to } = options;
    const act = registrationActs.pushTransfer(id, to);
    const objection = (await isBegun(registration, act)) ? undefined : cannotPush(row, name);
    if (objection !== undefined) return objection;
    const value = { registration: name, to };
    return runAct<Pushed>(
      registration,
      act,
      {
        question: `Hand ${name} over to ${quote(to)} at the registrar? The name leaves this account, and nothing here brings it back.`,
        done: async () => {
          const after = await readRegistration(registration);
          return after === undefined
            ? { outcome: 'done', value, message: `${name} has left the account.` }
            : { outcome: 'waiting', value, message: howFar(name, to, after) };
        },
        value,
        look: `\`hostwright registration refresh ${name}\` asks the registry once more.`,
        again: { option: '--again', given: options.again === true },
        formerly: `push of ${name} to ${to}`,
      },
      confirm,
    );
  });
}

function howFar(name: string, to: string, row: JsonObject): string {
  if (row.push_transfer_pending === true)
    return `${name} is on its way to ${quote(to)}, who has to take it. \`hostwright registration refresh ${name}\` shows when it has left.`;
  // A process that began after nothing was going on is this one.
  if (row.pending_async === true)
    return `The registrar works on handing ${name} over to ${quote(to)}, which can take days.`;
  return `The registrar took the request, and ${name} does not read as being handed over yet. Look at it later: \`hostwright registration refresh ${name}\`.`;
}

function cannotPush(row: JsonObject, name: string): Ending<never> | undefined {
  if (valueAt(row, '/feature_flags/supports_push_transfer') === false)
    return cannot(
      `The TLD of ${name} has no hand-over at the registrar. Give the other side its transfer code: \`hostwright registration epp-code ${name}\`.`,
    );
  if (row.push_transfer_pending === true) return notNow(`${name} is being handed over already. Nothing was sent.`);
  if (row.transfer_out_pending === true)
    return notNow(
      `Somebody has asked for ${name} to be transferred away. Decide that first: \`hostwright registration transfer-out ${name} reject\`. Nothing was sent.`,
    );
  if (row.pending_async === true)
    return notNow(`The registrar still works on another change of ${name}. Nothing was sent.`);
  return undefined;
}

/**
 * The code with which a name can be transferred elsewhere. It is a secret (CNV-35): it is the result, and goes nowhere
 * else.
 */
export function eppCode(session: Session, wanted: string, confirm: Confirm): Promise<SiteResult<EppCode>> {
  return withRegistration(session, wanted, async ({ client, name, path, row }): Promise<Ending<EppCode>> => {
    if (row.server_transfer_prohibited === true) return cannot(PROHIBITED);
    const locked =
      row.locked === true ? ' The name is locked: nobody can transfer it until `locked: false` is applied.' : '';
    if (!(await confirm(`Print the transfer code of ${name}? Whoever has it can move the name elsewhere.${locked}`)))
      return notConfirmed();
    try {
      const code = valueAt(await client.read(`${path}/epp_code`), '/authcode');
      if (typeof code === 'string' && code !== '') return { outcome: 'done', value: { registration: name, code } };
      return cannot(`The platform answers without a code for ${name}. Ask the registrar for it.`);
    } catch (error) {
      const detail = error instanceof ApiError ? whyNoCode(error, name) : undefined;
      if (detail === undefined) throw error;
      return cannot(detail);
    }
  });
}

const PROHIBITED =
  'The registry prohibits transfers of this name, so there is no code. That passes by itself, or the registry has to lift it.';

/** REG-27 */
function whyNoCode({ status, code }: ApiError, name: string): string | undefined {
  if (code === 'server_transfer_prohibited') return PROHIBITED;
  if (code !== 'authcode_unavailable') return undefined;
  return status === 422
    ? `The TLD of ${name} does not show its transfer codes. Ask the platform how names of this TLD are transferred.`
    : `The registrar did not give the transfer code of ${name}. Run the command again later.`;
}

/** What the registry shows of a transfer has no documented fields: its texts are told as they are named. */
function tellTransfer(row: JsonObject | undefined): string {
  const shown = valueAt(row ?? {}, '/transfer_out');
  if (typeof shown !== 'object' || shown === null || Array.isArray(shown)) return '';
  const told = Object.entries(shown).flatMap(([key, value]) =>
    typeof value === 'string' && value !== '' ? [`${key} ${value}`] : [],
  );
  return told.length === 0 ? '' : ` The registry shows: ${told.join(', ')}.`;
}
