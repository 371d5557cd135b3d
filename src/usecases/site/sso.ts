// The use case `site sso`: who can log in to the CMS of a site, and a login URL for one of them or for the database.
// The URL is a secret (CNV-35): it is the result, and goes nowhere else. Each request mints another one.
import { diagnose } from '../../model/diagnostic.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import { rowsAt } from '../../model/kind/rows.ts';
import { didYouMean, listOf, quote } from '../../model/format.ts';
import type { Session } from '../session.ts';
import { siteActs } from '../../areas/index.ts';
import type { Confirm } from '../act/run-act.ts';
import { runAct, unknownEnd } from '../act/run-act.ts';
import type { Ending, OpenSite, SiteResult } from './open-site.ts';
import { withSite } from './open-site.ts';

/** No mail address: nobody needs it to choose. */
export interface CmsUser {
  readonly login: string;
  readonly displayName: string;
  readonly roles: string;
}

export interface Login {
  readonly url: string;
}

/** The users of the CMS. */
export function siteUsers(session: Session, wanted: string): Promise<SiteResult<readonly CmsUser[]>> {
  return withSite(session, wanted, async (site) => ({ outcome: 'done', value: await readUsers(site) }));
}

/** Mints a login URL: for the database, or for a user of the CMS; where there is only one, for that one. */
export function siteLogin(
  session: Session,
  wanted: string,
  options: { readonly user?: string; readonly database?: boolean },
  confirm: Confirm,
): Promise<SiteResult<Login>> {
  return withSite(session, wanted, async (site): Promise<Ending<Login>> => {
    const logins = options.database === true ? [] : (await readUsers(site)).map(({ login }) => login);
    const user = options.user ?? (logins.length === 1 ? logins[0] : undefined);
    if (options.database !== true && (user === undefined || !logins.includes(user))) return noSuchUser(user, logins);
    const who = user === undefined ? 'the database' : `the CMS as ${quote(user)}`;
    const look = 'A login URL may have been minted that nobody has; run it again for another.';
    return runAct<Login>(
      site,
      siteActs.mintLogin(site.id, user),
      {
        question: `Mint a login URL for ${who} of ${site.label}? Whoever has it is logged in.`,
        done: ({ answer }) => {
          const url = valueAt(answer, '/url');
          return typeof url === 'string'
            ? { outcome: 'done', value: { url } }
            : unknownEnd('The answer has no URL', { look });
        },
        look,
        // The last one may have been minted: nobody has it.
        again: { given: true },
      },
      confirm,
    );
  });
}

async function readUsers({ client, path }: OpenSite): Promise<readonly CmsUser[]> {
  const rows = rowsAt(await client.read(`${path}/sso`), '/users').filter(isJsonObject);
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return rows.map((row) => ({
    login: text(row.user_login),
    displayName: text(row.display_name),
    roles: text(row.roles),
  }));
}

function noSuchUser(user: string | undefined, logins: readonly string[]): Ending<never> {
  const there = logins.length === 0 ? 'The CMS has none.' : `There are: ${listOf(logins.map(quote), 'and')}.`;
  const detail =
    user === undefined
      ? `Say which with --user, or take --database. ${there}`
      : `No user of the CMS is called ${quote(user)}.${didYouMean(user, logins)} ${there}`;
  return {
    outcome: 'error',
    diagnostics: [diagnose('HW4509', detail)],
  };
}
