// The commands `site restart`, `site purge`, `site backup`, `site mail unblock` and `site mail check`: what acts on a
// site and is not desired state. Each asks first.
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { renderMail } from '../../../report/text/index.ts';
import type { BackupOptions } from '../../../workflow/site/backup.ts';
import { backupSite } from '../../../workflow/site/backup.ts';
import { checkMail, unblockMail } from '../../../workflow/site/mail.ts';
import type { PurgeLayer } from '../../../workflow/site/purge.ts';
import { purgeSite } from '../../../workflow/site/purge.ts';
import { restartSite } from '../../../workflow/site/restart.ts';
import type { Context } from '../../context.ts';
import { actOnSite } from './site-command.ts';

export interface ActOptions {
  readonly yes?: boolean;
}

export function restart(context: Context, site: string, options: ActOptions): Promise<OutcomeWord> {
  return actOnSite(context, options, (session, confirm) => restartSite(session, site, confirm), { as: 'restart' });
}

export function purge(
  context: Context,
  site: string,
  options: ActOptions & { readonly layer?: PurgeLayer },
): Promise<OutcomeWord> {
  return actOnSite(context, options, (session, confirm) => purgeSite(session, site, options.layer, confirm), {
    as: 'purge',
  });
}

export function backup(context: Context, site: string, options: ActOptions & BackupOptions): Promise<OutcomeWord> {
  return actOnSite(context, options, (session, confirm) => backupSite(session, site, options, confirm), {
    as: 'backup',
  });
}

export function unblock(context: Context, site: string, options: ActOptions): Promise<OutcomeWord> {
  return actOnSite(context, options, (session, confirm) => unblockMail(session, site, confirm), { as: 'mail' });
}

export function check(context: Context, site: string, options: ActOptions): Promise<OutcomeWord> {
  return actOnSite(context, options, (session, confirm) => checkMail(session, site, confirm), {
    as: 'mail',
    text: (mail) => renderMail(mail, { color: context.color.stdout }),
  });
}
