// What a colleague at the dashboard does to a site, and what the mail provider does. A body of `{"account": false}` takes
// the mail account away.
import { changing, siteOf, textOf } from '../core/controls.ts';
import type { Controls } from '../core/controls.ts';
import { isRecord } from '../core/http/endpoint.ts';
import { controlPath, events } from '../core/outside.ts';
import type { OutsideEvent } from '../core/outside.ts';
import { LAYERS } from '../core/state.ts';
import type { World } from '../core/world.ts';
import { mailAccount, mailMessage } from './mail/state.ts';
import type { MailAccount, MailMessage } from './mail/state.ts';

export function siteControls(world: World): Controls {
  const onSite = changing((params) => siteOf(world, params));
  return {
    'PATCH /sites/:site': onSite((site, body) => {
      if (body['package'] !== undefined) site.package = textOf(body, 'package');
      if (body['php'] !== undefined) site.phpVersion = textOf(body, 'php');
      const { layers } = body;
      if (isRecord(layers))
        for (const layer of LAYERS)
          site.layers[layer].on = layers[layer] === undefined ? site.layers[layer].on : layers[layer] === true;
    }),
    'PATCH /sites/:site/mail': onSite((site, { account, dns, published, suspension, ...rest }) => {
      site.mail = account === false ? null : (site.mail ?? mailAccount(world.clock.now()));
      if (site.mail === null) return;
      const parts = { dns, published, suspension } as Partial<MailAccount>;
      for (const key of ['dns', 'published', 'suspension'] as const) Object.assign(site.mail[key], parts[key]);
      Object.assign(site.mail, rest);
    }),
    'POST /sites/:site/mail/messages': onSite((site, body) => {
      const given = body as Partial<MailMessage>;
      site.mail?.messages.push(mailMessage({ sentAt: world.clock.now(), rcpt: textOf(body, 'rcpt'), ...given }));
    }),
    'PATCH /platform': ({ mailDown }) => {
      world.state.mailDown = mailDown === true;
    },
  };
}

/** What somebody at the dashboard changes behind the back of the manifests. */
export function siteEvents({ state }: World): readonly OutsideEvent[] {
  const [site] = state.sites.values();
  if (site === undefined) return [];
  const { id, name, domains } = site;
  const last = domains.at(-1)?.hostname;
  const hostnames = controlPath('sites', id, 'domains');
  return events('Sites, changed elsewhere', [
    [`Change the PHP version of ${name}`, 'PATCH', controlPath('sites', id), { php: '8.1' }],
    [`Attach a hostname to ${name}`, 'POST', hostnames, { hostname: 'elsewhere.example.com' }],
    ...(last === undefined ? [] : [[`Detach ${last} from ${name}`, 'DELETE', hostnames, { hostname: last }] as const]),
  ]);
}
