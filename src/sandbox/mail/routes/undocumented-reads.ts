// Decides what answers at the reads of a mailspace that the documents name without a shape: their own 503 where they
// cannot be made, otherwise 501. Must not invent shapes, save where a reading asks for one (GAP-44).
import { ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint } from '../../core/http/endpoint.ts';
import { fails } from '../server.ts';
import type { Mailspace, TroublePart } from '../state.ts';
import { rule } from '../../rules/rules.ts';
import { listGroups } from './groups.ts';
import { notShown } from '../../core/http/not-yet.ts';

const strict = rule('MSP-23/named', 'lists of unknown shape have a 503 of their own too');

function named(part: TroublePart): (call: Call, space: Mailspace) => Answer {
  return (call, space) => {
    const { world } = call;
    if (fails(space, part) && world.rules.on(strict))
      return refuse(world, 503, `${part}_unavailable`, 'The list cannot be read');
    if (part !== 'mailing_lists' || world.readings['GAP-44'] === 'not-shown') return notShown(world);
    return ok({ mailing_lists: listGroups(call, space, 'list') });
  };
}

const PATH = '/api/mailspace/:mailspace';
const READ = { method: 'GET', scope: 'mailspace:read', mailspace: 'inside' } as const;

export const mailNamedEndpoints: readonly Endpoint[] = [
  { ...READ, path: `${PATH}/mailing_lists`, handle: named('mailing_lists') },
  { ...READ, path: `${PATH}/archived_items`, handle: named('archived_items') },
  { ...READ, path: `${PATH}/purged_mailboxes`, handle: named('purged_mailboxes') },
  { ...READ, path: `${PATH}/masked_emails`, handle: ({ world }) => notShown(world) },
  { ...READ, path: `${PATH}/mail_rules`, handle: ({ world }) => notShown(world) },
];
