// The use case `contact verify`: has the registrar ask the person once more to confirm who they are, of a contact
// (DCT-07) or of the holder of a name (REG-31). Whether the person did confirm is told by the contact's validations.
// When a message was sent is told by no answer: the ledger remembers it, so that nobody is asked twice a day by mistake.
import type { Json } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import type { Act } from '../act/act.ts';
import { carryOut } from '../act/act.ts';
import { remember, rememberedAs, viewForAct } from '../act/remember.ts';
import type { Confirm } from '../act/send.ts';
import { blocker } from '../act/problem.ts';
import { withRegistration } from '../registration/find.ts';
import type { Session } from '../session.ts';
import type { Ending, Opened, SiteResult } from '../site/open-site.ts';
import { readContact } from './contacts.ts';
import { withAccount } from './open-account.ts';

export interface VerifyOptions {
  /** Also where the ledger knows of a message of the last 24 hours. */
  readonly resend?: boolean;
}

const HOUR_MS = 3_600_000;
const RECENT_MS = 24 * HOUR_MS;

/** Asks for the message to be sent again, once a person has agreed. */
export function verifyContact(
  session: Session,
  id: string,
  options: VerifyOptions,
  confirm: Confirm,
): Promise<SiteResult<never>> {
  return withAccount(session, async (account) => {
    const { contact } = await readContact(account, id);
    const email = emailOf(contact.email);
    const act = message(email, id, {
      question: `Have the registrar ask ${email} once more to confirm contact ${id}?`,
      request: { method: 'POST', path: `/api/domain_contacts/${encodeURIComponent(id)}/resend_verification` },
    });
    return sendUnlessRecent(account, act, options, confirm);
  });
}

/** The same for the holder of a registered name. */
export function verifyHolder(
  session: Session,
  wanted: string,
  options: VerifyOptions,
  confirm: Confirm,
): Promise<SiteResult<never>> {
  return withRegistration(session, wanted, async (registration) => {
    const { name, path, row } = registration;
    const holder = isJsonObject(row.owner_contact) ? row.owner_contact : {};
    const email = emailOf(holder.email);
    const act = message(email, typeof holder.id === 'number' ? String(holder.id) : 'ID', {
      question: `Have the registrar ask ${email} once more to confirm the holder of ${name}?`,
      request: { method: 'POST', path: `${path}/resend_contact_verification` },
      refused: ({ code }) =>
        code === 'verification_not_applicable'
          ? {
              outcome: 'error',
              diagnostics: [blocker(`Nobody has to confirm anything for ${name}: its TLD does not ask for it.`)],
            }
          : undefined,
    });
    return sendUnlessRecent(registration, act, options, confirm);
  });
}

/** The request names whom the message is for: the same one is the same message. */
async function sendUnlessRecent(
  opened: Opened,
  act: Act<never>,
  { resend = false }: VerifyOptions,
  confirm: Confirm,
): Promise<Ending<never>> {
  const known = await viewForAct(opened);
  if ('ending' in known) return known.ending;
  const request = `${act.request.method} ${act.request.path}`;
  const name = `message of ${request}`;
  const sinceMs = opened.session.clock.now() - (rememberedAs(known.view, name)?.doneAtMs ?? -Infinity);
  if (sinceMs < RECENT_MS && !resend) return sentAlready(sinceMs, act.look);
  const ending = await carryOut(opened, act, confirm);
  if (ending.outcome !== 'done' || known.view.standing === 'missing') return ending;
  const notices = await remember(opened, name, { request });
  return { ...ending, diagnostics: [...(ending.diagnostics ?? []), ...notices] };
}

function sentAlready(sinceMs: number, look: string): Ending<never> {
  const hours = Math.floor(sinceMs / HOUR_MS);
  const when = hours === 0 ? 'less than an hour' : hours === 1 ? 'an hour' : `${hours} hours`;
  return {
    outcome: 'waiting',
    diagnostics: [
      {
        code: 'HW4589',
        severity: 'warning',
        summary: 'The message was sent already',
        detail: `It was sent ${when} ago, as the ledger says, and nothing was sent now. ${look} To send it once more, add --resend.`,
      },
    ],
  };
}

function message(email: string, id: string, act: Pick<Act<never>, 'question' | 'request' | 'refused'>): Act<never> {
  const look = `Whether the person has confirmed is told by \`hostwright get contact ${id}\`.`;
  return {
    ...act,
    follow: (answer) => {
      if (answer === undefined) return Promise.resolve(undefined);
      const status = valueAt(answer.body, '/status');
      return Promise.resolve({
        outcome: 'done',
        message: `The message to ${email} is ${typeof status === 'string' ? status : 'accepted'}. ${look}`,
      });
    },
    look,
  };
}

function emailOf(email: Json | undefined): string {
  return typeof email === 'string' ? email : 'its address';
}
