// What a colleague at the dashboard does to a site, and what the mail provider does. A body of `{"account": false}` takes
// the mail account away.
import type { Hono } from 'hono';
import { bodyOf, changeSite, textOf } from '../core/control-body.ts';
import type { Desk, Env } from '../core/http/app.ts';
import { isRecord } from '../core/http/endpoint.ts';
import { controlPath, few } from '../core/outside.ts';
import type { OutsideEvent } from '../core/outside.ts';
import { LAYERS } from '../core/state.ts';
import type { World } from '../core/world.ts';
import { mailAccount, mailMessage } from './mail/state.ts';
import type { MailAccount, MailMessage } from './mail/state.ts';

export function addSiteControls(control: Hono<Env>, { world }: Desk): void {
  control.patch('/_sandbox/sites/:site', (context) =>
    changeSite(world, context, (site, body) => {
      if (body['package'] !== undefined) site.package = textOf(body, 'package');
      if (body['php'] !== undefined) site.phpVersion = textOf(body, 'php');
      const { layers } = body;
      if (isRecord(layers))
        for (const layer of LAYERS)
          site.layers[layer].on = layers[layer] === undefined ? site.layers[layer].on : layers[layer] === true;
    }),
  );
  control.patch('/_sandbox/sites/:site/mail', (context) =>
    changeSite(world, context, (site, body) => {
      const { account, dns, published, suspension, ...rest } = body;
      site.mail = account === false ? null : (site.mail ?? mailAccount(world.clock.now()));
      if (site.mail === null) return;
      const parts = { dns, published, suspension } as Partial<MailAccount>;
      for (const key of ['dns', 'published', 'suspension'] as const) Object.assign(site.mail[key], parts[key]);
      Object.assign(site.mail, rest);
    }),
  );
  control.post('/_sandbox/sites/:site/mail/messages', (context) =>
    changeSite(world, context, (site, body) => {
      site.mail?.messages.push(
        mailMessage({ sentAt: world.clock.now(), rcpt: textOf(body, 'rcpt'), ...(body as Partial<MailMessage>) }),
      );
    }),
  );
  control.patch('/_sandbox/platform', async (context) => {
    world.state.mailDown = (await bodyOf(context))['mailDown'] === true;
    return context.json({});
  });
}

/** What somebody at the dashboard changes behind the back of the manifests. */
export function siteEvents({ state }: World): readonly OutsideEvent[] {
  const group = 'Sites, changed elsewhere';
  return few(state.sites.values())
    .slice(0, 1)
    .flatMap(({ id, name, domains }): readonly OutsideEvent[] => {
      const last = domains.at(-1)?.hostname;
      return [
        {
          group,
          method: 'PATCH',
          does: `Change the PHP version of ${name}`,
          path: controlPath('sites', id),
          body: { php: '8.1' },
        },
        {
          group,
          does: `Attach a hostname to ${name}`,
          method: 'POST',
          path: controlPath('sites', id, 'domains'),
          body: { hostname: 'elsewhere.example.com' },
        },
        ...(last === undefined
          ? []
          : [
              {
                group,
                does: `Detach ${last} from ${name}`,
                method: 'DELETE',
                path: controlPath('sites', id, 'domains'),
                body: { hostname: last },
              } as const,
            ]),
      ];
    });
}
