// Decides which mail requests get as far as the account: the product is there, the site has an account, and it is
// active where that counts. Must not look at the request itself.
import { refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import type { MailAccount } from './state.ts';
import { rule } from '../../rules/rules.ts';
import type { Site } from '../../core/state.ts';
import type { World } from '../../core/world.ts';

const unavailable = rule('TML-02', 'where the platform has no transactional mail every endpoint answers 503');
const notProvisioned = rule('TML-03', 'without an account everything but the status answers 422 mail_not_provisioned');
const notActive = rule('TML-04', 'logs and metrics of an account that is not active answer 422 mail_not_active');

export type MailHandler = (call: Call, site: Site, mail: MailAccount) => Answer;

export function mailGate(world: World): Answer | undefined {
  if (!world.state.mailDown || !world.rules.on(unavailable)) return undefined;
  return refuse(world, 503, 'mailprovider_unavailable', 'Transactional mail is not available');
}

export function withMail(needs: 'any' | 'active', handle: MailHandler): (call: Call, site: Site) => Answer {
  return (call, site) => {
    const { world } = call;
    const closed = mailGate(world);
    if (closed !== undefined) return closed;
    if (site.mail === null) {
      return world.rules.on(notProvisioned)
        ? refuse(world, 422, 'mail_not_provisioned', 'This site has no mail account')
        : { status: 404 };
    }
    if (needs === 'active' && site.mail.status !== 'active' && world.rules.on(notActive)) {
      return refuse(world, 422, 'mail_not_active', 'The mail account of this site is not active');
    }
    return handle(call, site, site.mail);
  };
}
