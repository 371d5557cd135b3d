// Which mail requests get as far as the account: the product is there, the site has an account, and it is active where
// that counts.
import { refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import type { MailAccount } from './state.ts';
import type { Site } from '../../core/state.ts';
import type { World } from '../../core/world.ts';

export type MailHandler = (call: Call, site: Site, mail: MailAccount) => Answer;

export function mailGuard(world: World): Answer | undefined {
  // TML-02: where the platform has no transactional mail every endpoint answers 503.
  if (!world.state.mailDown) return undefined;
  return refuse(503, 'mailprovider_unavailable', 'Transactional mail is not available');
}

/** TML-27: the guards of the site come before all of it. */
export function withMail(needs: 'any' | 'active', handle: MailHandler): (call: Call, site: Site) => Answer {
  return (call, site) => {
    const { world } = call;
    const closed = mailGuard(world);
    if (closed !== undefined) return closed;
    if (site.mail === null) {
      // TML-03: without an account everything but the status answers 422 mail_not_provisioned.
      return refuse(422, 'mail_not_provisioned', 'This site has no mail account');
    }
    // TML-04: logs and metrics of an account that is not active answer 422 mail_not_active.
    if (needs === 'active' && site.mail.status !== 'active') {
      return refuse(422, 'mail_not_active', 'The mail account of this site is not active');
    }
    return handle(call, site, site.mail);
  };
}
