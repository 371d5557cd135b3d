// The use case `contact verify`: has the registrar ask the person once more to confirm who they are, of a contact
// (DCT-07) or of the holder of a name (REG-31). Whether the person did confirm is told by the contact's validations.
// When a message was sent is told by no answer: the ledger remembers it, so that nobody is asked twice a day by mistake.
import { diagnose } from '../../model/diagnostic.ts';
import type { Json } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import { objectAt } from '../../model/kind/rows.ts';
import type { Act } from '../../model/plan/act.ts';
import type { PathTemplate } from '../../model/plan/step.ts';
import { registrationActs } from '../../areas/index.ts';
import type { ContactUsed } from '../../areas/views.ts';
import { idAt, objectOf, readUses } from '../../areas/views.ts';
import { remember, rememberedAs, viewForAct } from '../act/remember.ts';
import type { Asked, Confirm } from '../act/run-act.ts';
import { runAct } from '../act/run-act.ts';
import { createAccountReader } from '../get/account-reader.ts';
import { withRegistration } from '../registration/find.ts';
import type { Session } from '../session.ts';
import type { Ending, Opened, SiteResult } from '../site/open-site.ts';
import type { OpenAccount } from './open-account.ts';
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
    const question = `Have the registrar ask ${email} once more to confirm contact ${id}?`;
    const message = { act: registrationActs.resendVerification({ contact: id }), email, contact: id, question };
    return sendUnlessRecent(account, message, options, confirm);
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
    const { name, id, row } = registration;
    const holder = isJsonObject(row.owner_contact) ? row.owner_contact : {};
    const email = emailOf(holder.email);
    const message = {
      act: registrationActs.resendVerification({ registration: id }),
      email,
      contact: typeof holder.id === 'number' ? String(holder.id) : 'ID',
      question: `Have the registrar ask ${email} once more to confirm the holder of ${name}?`,
    };
    return sendUnlessRecent(registration, message, options, confirm);
  });
}

interface Message {
  readonly act: Act;
  readonly question: string;
  readonly email: string;
  /** The number of the contact that tells whether the person has confirmed. */
  readonly contact: string;
}

/** The request names whom the message is for: the same one is the same message. */
async function sendUnlessRecent(
  opened: Opened,
  { act, question, email, contact }: Message,
  { resend = false }: VerifyOptions,
  confirm: Confirm,
): Promise<Ending<never>> {
  const known = await viewForAct(opened);
  if ('ending' in known) return known.ending;
  const request = act.steps
    .flatMap((step) => (step.do === 'request' ? `${step.method} ${textOf(step.path)}` : []))
    .join();
  const name = `message of ${request}`;
  const look = `Whether the person has confirmed is told by \`hostwright get contact ${contact}\`.`;
  const sinceMs = opened.session.clock.now() - (rememberedAs(known.view, name)?.doneAtMs ?? -Infinity);
  if (sinceMs < RECENT_MS && !resend) return sentAlready(sinceMs, look);
  const asked: Asked<never> = {
    question,
    done: ({ answer }) => {
      const status = valueAt(answer, '/status');
      const is = typeof status === 'string' ? status : 'accepted';
      return { outcome: 'done', message: `The message to ${email} is ${is}. ${look}` };
    },
    look,
    again: { option: '--resend', given: resend },
  };
  const ending = await runAct(opened, act, asked, confirm);
  if (ending.outcome !== 'done') return ending;
  const notices = await remember(opened, name, { request });
  return { ...ending, diagnostics: [...(ending.diagnostics ?? []), ...notices] };
}

function textOf(path: PathTemplate): string {
  return path.map((part) => (typeof part === 'string' ? part : '')).join('');
}

function sentAlready(sinceMs: number, look: string): Ending<never> {
  const hours = Math.floor(sinceMs / HOUR_MS);
  const when = hours === 0 ? 'less than an hour' : hours === 1 ? 'an hour' : `${hours} hours`;
  return {
    outcome: 'waiting',
    diagnostics: [
      diagnose(
        'HW4589',
        `It was sent ${when} ago, as the ledger says, and nothing was sent now. ${look} To send it once more, add --resend.`,
      ),
    ],
  };
}

function emailOf(email: Json | undefined): string {
  return typeof email === 'string' ? email : 'its address';
}

/** One contact, and which registrations use it in which roles. Rejects with the client's ApiError. */
async function readContact(
  { client, workspace }: Pick<OpenAccount, 'client' | 'workspace'>,
  id: string,
): Promise<ContactUsed> {
  const reader = createAccountReader(client, workspace.account);
  const [answer, uses] = await Promise.all([
    client.read(`/api/domain_contacts/${encodeURIComponent(id)}`),
    readUses(reader),
  ]);
  // Bare or wrapped: not documented (GAP-50).
  const contact = objectOf({ is: 'read', answer: objectAt(answer) }, 'domain_contact');
  return { contact, usedBy: uses.get(idAt(contact)) ?? [] };
}
