// What is live in the sandbox of a test, by its name: that it is there is part of the test.
import type { Site, State } from '../../src/sandbox/core/state.ts';
import type { Mailbox, Mailspace } from '../../src/sandbox/mail/state.ts';
import type { ShieldZone } from '../../src/sandbox/shield/state.ts';

interface Live {
  readonly state: State;
}

function there<Value>(value: Value | null | undefined, what: string): Value {
  if (value === null || value === undefined) throw new Error(`no ${what}`);
  return value;
}

export const siteOf = ({ state }: Live, name = 'shop'): Site => there(state.sites.get(`site-${name}`), `site ${name}`);

export const zoneOf = (live: Live, site: string): ShieldZone =>
  there(siteOf(live, site).shield.zone, `zone of ${site}`);

export const spaceOf = ({ state }: Live, label = 'shop'): Mailspace =>
  there(
    [...state.mail.spaces.values()].find(({ domain }) => domain === `${label}.example.com`),
    `mailspace ${label}`,
  );

export const mailboxOf = (live: Live, id: string, label = 'shop'): Mailbox =>
  there(
    spaceOf(live, label).mailboxes.find((mailbox) => mailbox.id === id),
    `mailbox ${id}`,
  );
