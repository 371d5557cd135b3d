// The command `site sso`: a login URL, on stdout and nowhere else, or the users that it can be for.
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { renderUsers } from '../../../report/text/index.ts';
import { siteLogin, siteUsers } from '../../../workflow/site/sso.ts';
import type { Context } from '../../context.ts';
import { actOnSite, readSite } from './site-command.ts';

export interface SsoOptions {
  readonly user?: string;
  readonly database?: boolean;
  readonly list?: boolean;
  readonly yes?: boolean;
}

export function sso(context: Context, site: string, options: SsoOptions): Promise<OutcomeWord> {
  if (options.list === true)
    return readSite(context, (session) => siteUsers(session, site), {
      as: 'users',
      text: (users) => renderUsers(users, { color: context.color.stdout }),
    });
  // The URL as it is: whoever copies it needs every character. A URL cannot hold one that a terminal acts on.
  return actOnSite(context, options, (session, confirm) => siteLogin(session, site, options, confirm), {
    as: 'login',
    text: ({ url }) => url,
  });
}
