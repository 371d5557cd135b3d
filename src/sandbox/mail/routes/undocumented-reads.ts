// What answers at the reads of a mailspace that the documents name without a shape: their own 503 where they cannot be
// made, otherwise 501.
import { ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { mailspaceEndpoints } from '../guards.ts';
import { fails } from '../server.ts';
import type { Mailspace, TroublePart } from '../state.ts';
import { listGroups } from './groups.ts';
import { notShown } from '../../core/http/not-yet.ts';

function named(part: TroublePart): (call: Call, space: Mailspace) => Answer {
  return (call, space) => {
    const { world } = call;
    // MSP-23/named: lists of unknown shape have a 503 of their own too.
    if (fails(space, part)) return refuse(503, `${part}_unavailable`, 'The list cannot be read');
    if (part !== 'mailing_lists' || world.ambiguities['GAP-44'] === 'not-shown') return notShown();
    return ok({ mailing_lists: listGroups(call, space, 'list') });
  };
}

export const mailNamedEndpoints = mailspaceEndpoints('', 'inside', {
  'GET /mailing_lists': named('mailing_lists'),
  'GET /archived_items': named('archived_items'),
  'GET /purged_mailboxes': named('purged_mailboxes'),
  'GET /masked_emails': notShown,
  'GET /mail_rules': notShown,
});
