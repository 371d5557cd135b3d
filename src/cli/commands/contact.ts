// The commands `contact list`, `contact show` and `contact verify`.
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { renderContact, renderContacts } from '../../report/text/index.ts';
import { listContacts, showContact } from '../../workflow/contact/contacts.ts';
import { verifyContact } from '../../workflow/contact/verify.ts';
import type { Context } from '../context.ts';
import { actOnSite, readSite } from './site/site-command.ts';
import type { ActOptions } from './site/act.ts';

const FORMAT = 'hostwright.contact/1';

export function list(context: Context, query: string | undefined): Promise<OutcomeWord> {
  return readSite(context, (session) => listContacts(session, query), {
    as: 'contacts',
    format: FORMAT,
    text: (rows) => renderContacts(rows, { color: context.color.stdout }),
  });
}

export function show(context: Context, id: string): Promise<OutcomeWord> {
  return readSite(context, (session) => showContact(session, id), {
    as: 'contact',
    format: FORMAT,
    text: (value) => renderContact(value, { color: context.color.stdout }),
  });
}

export function verify(context: Context, id: string, options: ActOptions): Promise<OutcomeWord> {
  return actOnSite(context, options, (session, confirm) => verifyContact(session, id, confirm), {
    as: 'verification',
    format: FORMAT,
  });
}
