// The operations on a registration: transfers to another account or registrar, the transfer code, and a refresh from the
// registry. Only the user decides that a domain name leaves the account (REG-29, REG-30).
import { canonicalHostname } from '../../model/hostname.ts';
import { didYouMean, listOf, quote } from '../../model/format.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import { objectAt, textAt } from '../../model/kind/rows.ts';
import type { OperationRow } from '../../model/plan/operation.ts';
import type { Ending } from '../../model/plan/act.ts';
import type { Condition, LookUp } from '../../model/plan/step.ts';
import { path } from '../../model/plan/step.ts';
import type { Asked, GivenOptions, OpenAccount, Operation, Refusal } from '../common/operation.ts';
import { actOn, cannot, failed, notConfirmed, notNow, onAccount } from '../common/operation.ts';
import { change, sendOnce, until } from '../common/steps.ts';

export const REGISTRATION = 'DomainRegistration';

/** A live registration: its row, as the list shows it, and its path. */
export interface OpenRegistration extends OpenAccount {
  readonly name: string;
  readonly row: JsonObject;
  readonly id: string;
  readonly path: string;
}

/** The registration of that name, or an ending that says that there is none. */
async function registrationCalled(account: OpenAccount, wanted: string): Promise<OpenRegistration | Ending> {
  const rows = await account.list('registrations');
  const hostname = canonicalHostname(wanted);
  const row = rows.find(({ name }) => typeof name === 'string' && canonicalHostname(name) === hostname);
  if (row === undefined) return noSuch(wanted, rows);
  const [name, id] = [textAt(row, '/name'), textAt(row, '/id')];
  return { ...account, name, row, id, path: `/api/domain_registrations/${encodeURIComponent(id)}` };
}

/** Defines an operation on one registration of the account. Its address is `DomainRegistration/` and the domain name. */
export function onRegistration(
  row: Pick<OperationRow, 'name' | 'does'> & Partial<OperationRow>,
  begin: (registration: OpenRegistration, options: GivenOptions) => Asked | Ending | Promise<Asked | Ending>,
): Operation {
  return onAccount({ ...row, kind: REGISTRATION }, async (account, name, options) => {
    const registration = await registrationCalled(account, name);
    return 'outcome' in registration ? registration : begin(registration, options);
  });
}

function noSuch(wanted: string, rows: readonly JsonObject[]): Ending {
  const names = rows.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  return failed(
    'HW4583',
    `The account has no registration ${quote(wanted)}.${didYouMean(wanted, names)} \`hostwright get prices ${wanted}\` shows whether it can be bought.`,
  );
}

/** The registration as its own page shows it; undefined where the account no longer has it. */
async function readRegistration({ read, path, unlessRefused }: OpenRegistration): Promise<JsonObject | undefined> {
  const found = await unlessRefused(read(path), ({ kind }) => (kind === 'not-found' ? 'it is gone' : undefined));
  if ('refused' in found) return undefined;
  const inner = valueAt(found.answer, '/domain_registration');
  return objectAt(isJsonObject(inner) ? inner : found.answer);
}

/** How long a registrar is waited for that answers at once; what it takes days for is told to go on. */
const SOON_MS = 300_000;
const LOST_GRACE_MS = 60_000;

/** The registration, where a field of it reads so; bare or wrapped is not documented. */
function registrationWith(id: string, field: string, condition: Omit<Condition, 'pointer' | 'or'>): LookUp {
  return {
    read: path`/api/domain_registrations/${id}`,
    rows: '',
    where: [{ pointer: `/domain_registration/${field}`, or: [`/${field}`], ...condition }],
    capture: {},
  };
}

/** Approves or rejects a requested transfer. The user decides, and only once (REG-29). */
const transferOut = onRegistration(
  {
    name: 'transfer-out',
    does: 'Approve or reject a requested transfer of a domain name out of the account.',
    takes: ['decision'],
    needs: ['decision'],
  },
  async (registration, { decision = 'reject' }) => {
    const { name, id, row } = registration;
    const isAsked = row.transfer_out_pending === true;
    const seen = isAsked ? tellTransfer(await readRegistration(registration)) : '';
    const isApproved = decision === 'approve';
    const pending = registrationWith(id, 'transfer_out_pending', { value: true });
    return {
      act: actOn([REGISTRATION, id], 'DecideTransfer', {
        steps: [
          sendOnce({
            name: decision,
            method: 'POST',
            path: path`/api/domain_registrations/${id}/transfer_out`,
            body: { decision },
            recovery: {
              lookUp: registrationWith(id, 'transfer_out_pending', { value: true, not: true }),
              // Once decided, a second decision is refused: 422 no_pending_transfer_out.
              ifNotFound: 'send-again',
              guarded: 'REG-29',
              graceMs: LOST_GRACE_MS,
              rule: 'REG-29',
            },
            reason: `${decision} the transfer`,
            rule: 'REG-29',
          }),
          {
            do: 'wait-for',
            name: 'registrar',
            open: true,
            // A name that has left the account is decided too.
            waitFor: until(false, pending, 'the decision is carried out', SOON_MS),
          },
        ],
      }),
      question: isApproved
        ? `Approve the transfer of ${name} away?${seen} The name leaves this account, and nothing here brings it back.`
        : `Reject the transfer of ${name} away?${seen} The name stays here, and whoever asked for it has to ask again.`,
      unlessBegun: isAsked
        ? undefined
        : cannot(
            `Nobody has asked for ${name} to be transferred away, or it has been decided. Nothing was sent. To check the registry, run \`hostwright run refresh ${REGISTRATION}/${name}\`.`,
          ),
      done: () =>
        isApproved
          ? `The transfer of ${name} away is approved. The name leaves this account: remove its manifest.`
          : `The transfer of ${name} away is rejected. The name stays here. If none of you asked for it, write \`locked: true\` in its manifest.`,
      waiting: () =>
        `The decision was accepted, and the registrar has not completed it. To check again, run \`hostwright run refresh ${REGISTRATION}/${name}\`.`,
      values: { transfer: { registration: name, decision } },
      look: 'Running the command again does no harm: the platform refuses a decision where there is nothing to decide.',
    };
  },
);

/** What the registry shows of a transfer has no documented fields: its texts are told as they are named. */
function tellTransfer(row: JsonObject | undefined): string {
  const shown = valueAt(row ?? {}, '/transfer_out');
  if (!isJsonObject(shown)) return '';
  const told = Object.entries(shown).flatMap(([key, value]) =>
    typeof value === 'string' && value !== '' ? [`${key} ${value}`] : [],
  );
  return told.length === 0 ? '' : ` The registry shows: ${told.join(', ')}.`;
}

/**
 * Hands a name over to another holder at the registrar, without a code (REG-30). Nothing that can be read proves that a
 * lost request never left.
 */
const push = onRegistration(
  {
    name: 'push-transfer',
    does: 'Transfer a domain name to another holder at the same registrar. It leaves the account.',
    takes: ['to', 'again'],
    needs: ['to'],
  },
  (registration, { to = '', again }) => {
    const { name, id, row } = registration;
    const values = { push: { registration: name, to } };
    const busy = registrationWith(id, 'pending_async', { value: true });
    return {
      act: actOn([REGISTRATION, id], 'PushTransfer', {
        of: to,
        steps: [
          sendOnce({
            name: 'hand over',
            method: 'POST',
            path: path`/api/domain_registrations/${id}/push_transfer`,
            body: { recipient: to },
            answers: [
              { status: '2xx', then: 'done' },
              {
                status: 422,
                then: 'fail',
                reason: `the registrar does not hand the name over to ${to}; check the handle`,
              },
            ],
            recovery: {
              lookUp: registrationWith(id, 'push_transfer_pending', { value: true }),
              ifNotFound: 'unknown',
              graceMs: LOST_GRACE_MS,
              rule: 'REG-30',
            },
            reason: `hand the name over to ${to}`,
            rule: 'REG-30',
          }),
          {
            do: 'wait-for',
            name: 'registrar',
            // What it takes days for is told by a look afterwards.
            optional: true,
            waitFor: until(false, busy, 'the registrar is done', SOON_MS),
          },
        ],
      }),
      question: `Hand ${name} over to ${quote(to)} at the registrar? The name leaves this account, and nothing here brings it back.`,
      unlessBegun: cannotPush(row, name),
      done: async () => {
        const after = await readRegistration(registration);
        return after === undefined
          ? `${name} has left the account.`
          : { outcome: 'waiting', ...values, message: howFar(name, to, after) };
      },
      values,
      look: `To check the registry, run \`hostwright run refresh ${REGISTRATION}/${name}\`.`,
      again: { option: '--again', given: again },
      formerly: `push of ${name} to ${to}`,
    };
  },
);

function howFar(name: string, to: string, row: JsonObject): string {
  if (row.push_transfer_pending === true)
    return `${name} is on its way to ${quote(to)}, who has to accept it. Run \`hostwright run refresh ${REGISTRATION}/${name}\` to see whether it has left.`;
  // A process that began after nothing was going on is this one.
  if (row.pending_async === true)
    return `The registrar works on handing ${name} over to ${quote(to)}, which can take days.`;
  return `The registrar took the request, and ${name} does not read as being handed over yet. Check later: \`hostwright run refresh ${REGISTRATION}/${name}\`.`;
}

function cannotPush(row: JsonObject, name: string): Ending | undefined {
  if (valueAt(row, '/feature_flags/supports_push_transfer') === false)
    return cannot(
      `The TLD of ${name} has no hand-over at the registrar. Give the recipient its transfer code: \`hostwright run epp-code ${REGISTRATION}/${name}\`.`,
    );
  if (row.push_transfer_pending === true) return notNow(`${name} is being handed over already. Nothing was sent.`);
  if (row.transfer_out_pending === true)
    return notNow(
      `Somebody has asked for ${name} to be transferred away. Decide that first: \`hostwright run transfer-out ${REGISTRATION}/${name} --decision reject\`. Nothing was sent.`,
    );
  if (row.pending_async === true)
    return notNow(`The registrar still works on another change of ${name}. Nothing was sent.`);
  return undefined;
}

/** Has the platform ask the registry how a name stands (REG-28). It may be done as often as one likes. */
const refresh = onRegistration(
  { name: 'refresh', does: 'Request the current state from the registry and report what changed.' },
  ({ name, id }) => ({
    act: actOn([REGISTRATION, id], 'RefreshRegistration', {
      steps: [
        change({
          name: 'refresh',
          method: 'POST',
          path: path`/api/domain_registrations/${id}/force_sync`,
          reason: 'ask the registry',
          rule: 'REG-28',
        }),
      ],
    }),
    question: `Have the platform ask the registry how ${name} stands? Nothing changes at the registry.`,
    done: ({ answer }) => {
      const row = valueAt(answer, '/domain_registration');
      const names = valueAt(answer, '/changed');
      const changed = Array.isArray(names) ? names.filter((one) => typeof one === 'string') : [];
      const now = isJsonObject(row) ? row : {};
      const facts = changed.map((field) => `${field} is ${tell(now[field])}`);
      return {
        outcome: 'done',
        refresh: { registration: name, changed, now },
        message:
          changed.length === 0
            ? `${name} stands at the registry as the platform knew it.`
            : `${name} has changed at the registry: ${listOf(facts, 'and')}. \`hostwright plan\` compares it with its manifest.`,
      };
    },
  }),
);

function tell(value: Json | undefined): string {
  if (Array.isArray(value)) return value.map((item: Json) => tell(item)).join(' ');
  if (value === null || value === undefined) return 'empty';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const PROHIBITED =
  'The registry prohibits transfers of this name, so there is no code. That passes by itself, or the registry has to lift it.';

/**
 * The code with which a name can be transferred elsewhere. It is a secret (CNV-35): it is the result, and goes nowhere
 * else.
 */
const eppCode = onRegistration(
  {
    name: 'epp-code',
    does: 'Print the transfer code (EPP code). It is a secret, printed to standard output only.',
  },
  async ({ name, path, row, read, confirm, unlessRefused }) => {
    if (row.server_transfer_prohibited === true) return cannot(PROHIBITED);
    const locked =
      row.locked === true ? ' The name is locked: nobody can transfer it until `locked: false` is applied.' : '';
    if (!(await confirm(`Print the transfer code of ${name}? Whoever has it can move the name elsewhere.${locked}`)))
      return notConfirmed();
    const found = await unlessRefused(read(`${path}/epp_code`), (refusal) => whyNoCode(refusal, name));
    if ('refused' in found) return cannot(found.refused);
    const code = valueAt(found.answer, '/authcode');
    return typeof code === 'string' && code !== ''
      ? { outcome: 'done', epp: { registration: name, code } }
      : cannot(`The platform answers without a code for ${name}. Ask the registrar for it.`);
  },
);

/** REG-27 */
function whyNoCode({ status, code }: Refusal, name: string): string | undefined {
  if (code === 'server_transfer_prohibited') return PROHIBITED;
  if (code !== 'authcode_unavailable') return undefined;
  return status === 422
    ? `The TLD of ${name} does not show its transfer codes. Ask the platform how names of this TLD are transferred.`
    : `The registrar did not give the transfer code of ${name}. Run the command again later.`;
}

export const registrationOperations = [transferOut, push, refresh, eppCode];
