// What can be done to mailspaces, and to the DNS of the world, from outside /api.
import type { Context, Hono } from 'hono';
import type { Desk, Env } from '../core/http/app.ts';
import { bodyOf, textOf } from '../core/control-body.ts';
import { runMailClock, servePending } from './clock.ts';
import { TROUBLE_PARTS, addMailGroup, addMailbox } from './state.ts';
import type { DnsEntry, MailGroup, Mailbox, Mailspace, Trouble, TroublePart } from './state.ts';
import { registeredNames } from '../core/area.ts';
import { controlPath, few } from '../core/outside.ts';
import type { OutsideEvent } from '../core/outside.ts';
import { plain } from '../core/snapshot.ts';
import { nextId } from '../core/state.ts';
import type { World } from '../core/world.ts';

type Body = Record<string, unknown>;
type Change = (space: Mailspace, body: Body) => void;

export function addMailControls(control: Hono<Env>, { world }: Desk): void {
  control.get('/_sandbox/mail', (context) => {
    runMailClock(world);
    return context.json(plain(world.state.mail));
  });
  control.patch('/_sandbox/mail', async (context) => {
    world.state.mail.configured = (await bodyOf(context))['configured'] !== false;
    return context.json({});
  });
  const changing = (change: Change) => (context: Context<Env>) => changeSpace(world, context, change);
  control.patch(
    '/_sandbox/mailspaces/:space',
    changing((space, body) => Object.assign(space, body)),
  );
  control.put(
    '/_sandbox/mailspaces/:space/troubles',
    changing((space, { troubles }) => {
      space.troubles = Array.isArray(troubles) ? troubles.map((one) => readTrouble(one as Body)) : [];
    }),
  );
  control.post(
    '/_sandbox/mailspaces/:space/domains',
    changing((space, body) => {
      space.domains.push({ name: textOf(body, 'name'), description: (body['description'] ?? null) as string | null });
    }),
  );
  control.patch(
    '/_sandbox/mailspaces/:space/domains',
    changing((space, body) => {
      Object.assign(named([...space.domains, ...space.pendingDomains], 'name', textOf(body, 'name')), body);
    }),
  );
  control.delete(
    '/_sandbox/mailspaces/:space/domains',
    changing((space, body) => {
      const name = textOf(body, 'name');
      space.domains = space.domains.filter((one) => one.name !== name);
      space.pendingDomains = space.pendingDomains.filter((one) => one.name !== name);
    }),
  );
  control.post(
    '/_sandbox/mailspaces/:space/domains/verify',
    changing((space, body) => {
      servePending(world, space, named(space.pendingDomains, 'name', textOf(body, 'name')));
    }),
  );
  addMemberControls(control, world, changing);
  addDnsControls(control, world);
}

function addMemberControls(
  control: Hono<Env>,
  world: World,
  changing: (change: Change) => (context: Context<Env>) => Promise<Response>,
): void {
  control.post(
    '/_sandbox/mailspaces/:space/mailboxes',
    changing((space, body) => {
      addMailbox(space, { id: nextId(world.state), ...(body as Pick<Mailbox, 'email'>) });
    }),
  );
  control.post(
    '/_sandbox/mailspaces/:space/groups',
    changing((space, body) => {
      addMailGroup(space, { principalId: nextId(world.state), ...(body as Pick<MailGroup, 'email'>) });
    }),
  );
  for (const path of ['mailboxes', 'groups'] as const) {
    control.patch(
      `/_sandbox/mailspaces/:space/${path}`,
      changing((space, body) => {
        Object.assign(named<Mailbox | MailGroup>(space[path], 'email', textOf(body, 'email')), body);
      }),
    );
    control.delete(
      `/_sandbox/mailspaces/:space/${path}`,
      changing((space, body) => {
        const gone = named<Mailbox | MailGroup>(space[path], 'email', textOf(body, 'email'));
        Object.assign(space, { [path]: space[path].filter((one) => one !== gone) });
      }),
    );
  }
}

/** Publishes and withdraws records; zones say who hosts a name. Who owns it: control-registration.ts. */
function addDnsControls(control: Hono<Env>, world: World): void {
  const { mail } = world.state;
  control.get('/_sandbox/dns', (context) =>
    context.json({ dns: mail.dns, zones: world.state.dnsZones, registered: registeredNames(world) }),
  );
  control.post('/_sandbox/dns', async (context) => {
    const body = await bodyOf(context);
    runMailClock(world);
    mail.dns.push({
      type: (body['type'] ?? 'TXT') as DnsEntry['type'],
      name: textOf(body, 'name'),
      value: textOf(body, 'value'),
      priority: (body['priority'] ?? null) as number | null,
      by: 'user',
    });
    return context.json({});
  });
  control.delete('/_sandbox/dns', async (context) => {
    const { type, name, value } = await bodyOf(context);
    runMailClock(world);
    mail.dns = mail.dns.filter(
      (one) => one.name !== name || one.type !== (type ?? one.type) || one.value !== (value ?? one.value),
    );
    return context.json({});
  });
  control.post('/_sandbox/dns/zones', async (context) => {
    const body = await bodyOf(context);
    world.state.dnsZones.push({ name: textOf(body, 'name'), accountId: textOf(body, 'accountId') });
    return context.json({});
  });
}

function readTrouble({ part, times }: Body): Trouble {
  if (!TROUBLE_PARTS.includes(part as TroublePart))
    throw new Error(`no trouble '${String(part)}'; there are: ${TROUBLE_PARTS.join(', ')}`);
  return { part: part as TroublePart, times: typeof times === 'number' ? times : null };
}

function named<T>(rows: readonly T[], key: keyof T, wanted: string): T {
  const found = rows.find((one) => one[key] === wanted);
  if (found === undefined) throw new Error(`there is no ${wanted} in this mailspace`);
  return found;
}

/** A mailspace is named by its id or its domain. */
async function changeSpace(world: World, context: Context<Env>, change: Change): Promise<Response> {
  runMailClock(world);
  const wanted = context.req.param('space') ?? '';
  const space = [...world.state.mail.spaces.values()].find(({ id, domain }) => id === wanted || domain === wanted);
  if (space === undefined) return context.json({ error: 'no such mailspace' }, 404);
  change(space, await bodyOf(context));
  return context.json({});
}

export function mailEvents({ state }: World): readonly OutsideEvent[] {
  const group = 'Mail';
  const spaces = [...state.mail.spaces.values()];
  const unproven = few(spaces, ({ verified }) => !verified).map(({ domain, token }): OutsideEvent => ({
    group,
    does: `Publish the TXT record that proves ${domain}; it is seen within a minute`,
    method: 'POST',
    path: controlPath('dns'),
    body: { type: 'TXT', name: `_mailspace-verify.${domain}`, value: token },
  }));
  const pending = few(
    spaces.flatMap((space) => space.pendingDomains.map(({ name }) => ({ space: space.domain, name }))),
  ).map(({ space, name }): OutsideEvent => ({
    group,
    does: `Verify the mail domain ${name}`,
    method: 'POST',
    path: controlPath('mailspaces', space, 'domains', 'verify'),
    body: { name },
  }));
  const mailboxes = few(spaces.flatMap(({ domain, mailboxes: all }) => all.map(({ email }) => ({ domain, email }))))
    .slice(0, 1)
    .flatMap(({ domain, email }): readonly OutsideEvent[] => {
      const path = controlPath('mailspaces', domain, 'mailboxes');
      return [
        {
          group,
          does: `Change the quota of ${email} elsewhere`,
          method: 'PATCH',
          path,
          body: { email, quotaMb: 4711 },
        },
        { group, does: `Delete ${email} elsewhere`, method: 'DELETE', path, body: { email } },
      ];
    });
  return [...unproven, ...pending, ...mailboxes];
}
