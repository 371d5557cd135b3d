// Mailspaces: their domains, mailboxes, groups, aliases and DNS.
import type { Area } from '../core/area.ts';
import type { Readings } from '../core/ambiguities.ts';
import { MAIL_AMBIGUITIES } from './ambiguities.ts';
import { loadMailspaces } from './load.ts';
import { publishTokens } from './dns.ts';
import { mailControls, mailEvents } from './control.ts';
import { mailAliasEndpoints } from './routes/aliases.ts';
import { mailDomainEndpoints } from './routes/domains.ts';
import { mailGroupEndpoints, mailNamedEndpoints } from './routes/groups.ts';
import { mailboxEndpoints } from './routes/mailboxes.ts';
import { mailVerificationEndpoints, mailspacesEndpoints } from './routes/mailspaces.ts';
import { hostile, mail as scenario, mailboxes } from './scenario.ts';
import { mailSnapshot } from './snapshot.ts';
import { emptyMail } from './state.ts';
import type { MailPlatform } from './state.ts';

declare module '../core/state.ts' {
  interface State {
    readonly mail: MailPlatform;
  }
}
declare module '../core/ambiguities.ts' {
  interface Ambiguities extends Readings<typeof MAIL_AMBIGUITIES> {}
}

export const mail: Area = {
  endpoints: [
    ...mailspacesEndpoints,
    ...mailVerificationEndpoints,
    ...mailDomainEndpoints,
    ...mailAliasEndpoints,
    ...mailGroupEndpoints,
    ...mailboxEndpoints,
    ...mailNamedEndpoints,
  ],
  ambiguities: MAIL_AMBIGUITIES,
  state: () => ({ mail: emptyMail() }),
  scenarios: { mail: { from: 'small' }, 'mailboxes:N': {} },
  parts: { mail: scenario, 'mailboxes:N': mailboxes, hostile },
  controls: mailControls,
  outside: mailEvents,
  load: loadMailspaces,
  oblige: publishTokens,
  snapshot: (state) => mailSnapshot(state.mail),
};
