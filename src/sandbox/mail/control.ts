// What can be done to mailspaces, and to the DNS of the world, from outside /api.
import { changing, listOf, textOf, there, troubleOf } from '../core/controls.ts';
import type { Controls } from '../core/controls.ts';
import { runMailClock, servePending } from './clock.ts';
import { TROUBLE_PARTS, addMailGroup, addMailbox } from './state.ts';
import type { DnsEntry, MailGroup, Mailbox } from './state.ts';
import { registeredNames } from '../core/area.ts';
import { controlPath, events, few } from '../core/outside.ts';
import type { OutsideEvent } from '../core/outside.ts';
import { plain } from '../core/snapshot.ts';
import { nextId } from '../core/state.ts';
import type { World } from '../core/world.ts';

export function mailControls(world: World): Controls {
  const { mail, dnsZones } = world.state;
  /** A mailspace is named by its id or its domain. */
  const onSpace = changing(({ space: wanted }) => {
    runMailClock(world);
    const spaces = [...mail.spaces.values()];
    return there(
      spaces.find(({ id, domain }) => id === wanted || domain === wanted),
      'mailspace',
    );
  });
  const membersOf = (path: 'mailboxes' | 'groups'): Controls => ({
    [`PATCH /mailspaces/:space/${path}`]: onSpace((space, body) =>
      Object.assign(named<Mailbox | MailGroup>(space[path], 'email', textOf(body, 'email')), body),
    ),
    [`DELETE /mailspaces/:space/${path}`]: onSpace((space, body) => {
      const gone = named<Mailbox | MailGroup>(space[path], 'email', textOf(body, 'email'));
      Object.assign(space, { [path]: space[path].filter((one) => one !== gone) });
    }),
  });
  return {
    'GET /mail': () => {
      runMailClock(world);
      return plain(mail);
    },
    'PATCH /mail': ({ configured }) => {
      mail.configured = configured !== false;
    },
    'PATCH /mailspaces/:space': onSpace((space, body) => Object.assign(space, body)),
    'PUT /mailspaces/:space/troubles': onSpace((space, body) => {
      space.troubles = listOf(body, 'troubles').map((one) => troubleOf(TROUBLE_PARTS, one));
    }),
    'POST /mailspaces/:space/domains': onSpace((space, body) => {
      space.domains.push({ name: textOf(body, 'name'), description: (body['description'] ?? null) as string | null });
    }),
    'PATCH /mailspaces/:space/domains': onSpace((space, body) =>
      Object.assign(named([...space.domains, ...space.pendingDomains], 'name', textOf(body, 'name')), body),
    ),
    'DELETE /mailspaces/:space/domains': onSpace((space, body) => {
      const name = textOf(body, 'name');
      space.domains = space.domains.filter((one) => one.name !== name);
      space.pendingDomains = space.pendingDomains.filter((one) => one.name !== name);
    }),
    'POST /mailspaces/:space/domains/verify': onSpace((space, body) =>
      servePending(world, space, named(space.pendingDomains, 'name', textOf(body, 'name'))),
    ),
    'POST /mailspaces/:space/mailboxes': onSpace((space, body) => {
      addMailbox(space, { id: nextId(world.state), ...(body as Pick<Mailbox, 'email'>) });
    }),
    'POST /mailspaces/:space/groups': onSpace((space, body) => {
      addMailGroup(space, { principalId: nextId(world.state), ...(body as Pick<MailGroup, 'email'>) });
    }),
    ...membersOf('mailboxes'),
    ...membersOf('groups'),
    // Publishes and withdraws records; zones say who hosts a name. Who owns it: registration/control.ts.
    'GET /dns': () => ({ dns: mail.dns, zones: dnsZones, registered: registeredNames(world) }),
    'POST /dns': (body) => {
      runMailClock(world);
      mail.dns.push({
        type: (body['type'] ?? 'TXT') as DnsEntry['type'],
        name: textOf(body, 'name'),
        value: textOf(body, 'value'),
        priority: (body['priority'] ?? null) as number | null,
        by: 'user',
      });
    },
    'DELETE /dns': ({ type, name, value }) => {
      runMailClock(world);
      mail.dns = mail.dns.filter(
        (one) => one.name !== name || one.type !== (type ?? one.type) || one.value !== (value ?? one.value),
      );
    },
    'POST /dns/zones': (body) =>
      void dnsZones.push({ name: textOf(body, 'name'), accountId: textOf(body, 'accountId') }),
  };
}

function named<T>(rows: readonly T[], key: keyof T, wanted: string): T {
  const found = rows.find((one) => one[key] === wanted);
  if (found === undefined) throw new Error(`there is no ${wanted} in this mailspace`);
  return found;
}

export function mailEvents({ state }: World): readonly OutsideEvent[] {
  const spaces = [...state.mail.spaces.values()];
  const [space, mailbox] = spaces.flatMap((one) => one.mailboxes.map((each) => [one, each] as const))[0] ?? [];
  const path = controlPath('mailspaces', space?.domain ?? '', 'mailboxes');
  return events('Mail', [
    ...few(spaces, ({ verified }) => !verified).map(
      ({ domain, token }) =>
        [
          `Publish the TXT record that proves ${domain}; it is seen within a minute`,
          'POST',
          controlPath('dns'),
          { type: 'TXT', name: `_mailspace-verify.${domain}`, value: token },
        ] as const,
    ),
    ...few(spaces.flatMap(({ domain, pendingDomains }) => pendingDomains.map(({ name }) => ({ domain, name })))).map(
      ({ domain, name }) =>
        [
          `Verify the mail domain ${name}`,
          'POST',
          controlPath('mailspaces', domain, 'domains', 'verify'),
          { name },
        ] as const,
    ),
    ...(mailbox === undefined
      ? []
      : ([
          [`Change the quota of ${mailbox.email} elsewhere`, 'PATCH', path, { email: mailbox.email, quotaMb: 4711 }],
          [`Delete ${mailbox.email} elsewhere`, 'DELETE', path, { email: mailbox.email }],
        ] as const)),
  ]);
}
