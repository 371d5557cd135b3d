// What is known of the platform, the account and its features from how reads were answered. What a read did not tell is
// not known.
import type { Finding } from '../../model/doctor.ts';
import { valueAt } from '../../model/json.ts';
import { plural } from '../../model/common/count.ts';
import { capital } from '../../model/common/sentence.ts';
import type { ProbeRead } from '../../platform/probe.ts';
import { checkOf } from './finding.ts';
import type { AccountReads, SiteReads } from './reads.ts';
import { failingStatus, isForeign, rowsOf, SCOPED } from './reads.ts';

const answersCheck = checkOf('platform', 'answers');
const clockCheck = checkOf('platform', 'clock');
const reachedCheck = checkOf('account', 'reached');
const accountCheck = checkOf('account', 'account');
const billingCheck = checkOf('features', 'billing');

/** More than this, and a Retry-After or a lock's age is read wrongly. */
const SKEW_MS = 60_000;
const SLOW_MS = 2000;

/** Whether the platform answers, how fast, and what its clock says. */
export function platformFindings(looks: AccountReads, baseUrl: string): readonly Finding[] {
  const {
    wide: [first],
    timings,
  } = looks;
  if (first === undefined || first.status === null) {
    return [
      answersCheck.problem(
        `The platform at ${baseUrl} did not respond: ${first?.reason ?? 'nothing was sent'}.`,
        'Check what the message names: the base URL, the proxy, the certificate or the network. A sandbox has to run: `hostwright sandbox`.',
      ),
    ];
  }
  if (isForeign(first))
    return [
      answersCheck.problem(
        `${baseUrl} answers, but not as this API does: GET /api/sites gave no list of sites.`,
        'Check the base URL. If it is right, Hostwright does not work with this platform.',
      ),
    ];
  const failing = failingStatus(looks);
  if (failing !== undefined)
    return [
      answersCheck.problem(
        `${baseUrl} answers with ${failing}: it does not work at present.`,
        'Wait, then run `hostwright doctor` again. If it stays, ask the operator of the platform.',
      ),
    ];
  const took = timings.map(({ tookMs }) => tookMs).sort((left, right) => left - right);
  const median = took[Math.floor(took.length / 2)] ?? 0;
  const slow = median > SLOW_MS;
  const trip = checkOf('platform', 'round trip')[slow ? 'warning' : 'ok'](
    `Half of ${took.length} reads took at most ${Math.round(median)} ms, the slowest ${Math.round(took.at(-1) ?? 0)} ms.`,
    slow ? 'Runs will be slow; a higher --timeout helps where reads give up.' : undefined,
  );
  return [answersCheck.ok(`${baseUrl} answers.`), clockFinding(timings), trip];
}

function clockFinding(timings: AccountReads['timings']): Finding {
  const ahead = timings
    .flatMap(({ aheadMs }) => (aheadMs === undefined ? [] : [aheadMs]))
    .sort((left, right) => left - right);
  const skew = ahead[Math.floor(ahead.length / 2)];
  if (skew === undefined)
    return clockCheck.unknown('How far the clocks are apart is not known: no answer told a date.');
  const seconds = Math.round(Math.abs(skew) / 1000);
  if (Math.abs(skew) <= SKEW_MS)
    return clockCheck.ok(`The clock of this machine and that of the platform are ${seconds} s apart.`);
  return clockCheck.warning(
    `The clock of this machine is ${seconds} s ${skew > 0 ? 'behind' : 'ahead of'} that of the platform.`,
    'Set the clock: times to wait and to look up what happened are reckoned with it.',
  );
}

/** Whether the account of the workspace is one that the credential reaches. */
export function accountFindings(
  { wide, areas, reached }: AccountReads,
  account: string | undefined,
): readonly Finding[] {
  if (wide[0] !== undefined && isForeign(wide[0])) return [];
  const named = reached.map(({ id, name }) => (name === undefined ? id : `${id} (${name})`)).join(', ');
  const list = wide.every(({ status }) => status !== 200)
    ? reachedCheck.unknown('Which accounts the credential reaches is not known: the lists that would tell are refused.')
    : reachedCheck.ok(
        reached.length === 0
          ? 'The credential reaches no account that has a site or a mailspace; others are in no list.'
          : `By their sites and mailspaces the credential reaches ${named}.`,
      );
  if (account === undefined)
    return [
      list,
      accountCheck.problem(
        'No account is set.',
        `Set \`account\` in the workspace file, or HOSTWRIGHT_ACCOUNT${reached.length === 0 ? '' : `, to one of: ${reached.map(({ id }) => id).join(', ')}`}.`,
      ),
    ];
  return areas === undefined ? [list] : [list, ownFinding(account, areas, reached)];
}

function ownFinding(
  account: string,
  areas: NonNullable<AccountReads['areas']>,
  reached: AccountReads['reached'],
): Finding {
  if (reached.some(({ id }) => id === account)) return accountCheck.ok(`The account ${account} is among them.`);
  const looks = SCOPED.map((area) => areas[area]);
  if (looks.some(({ status }) => status === 200))
    return accountCheck.ok(
      `The platform answers for the account ${account}, which has no site and no mailspace to see it by.`,
    );
  // Where every list of the account is refused for no reason of its own (a scope, a feature), it is the account that is
  // refused (CNV-16).
  if (looks.every(({ error }) => error === 'forbidden' || error === 'not-found')) {
    return accountCheck.problem(
      `The platform refuses every list of the account ${account}.`,
      `Correct the account, or use a credential that reaches it${reached.length === 0 ? '' : `; this one reaches ${reached.map(({ id }) => id).join(', ')}`}.`,
    );
  }
  return accountCheck.unknown(`Whether the credential reaches the account ${account} is not known.`);
}

/** What the account has, as far as one read each tells. */
export function featureFindings(looks: AccountReads): readonly Finding[] {
  const { areas, site } = looks;
  if (areas === undefined) return [];
  return [
    billing(looks, areas),
    feature(
      'registrations',
      'domain registration',
      areas.registrations,
      `Domain registration is on: ${count(areas.registrations, '/domain_registrations', 'registration')}.`,
      [
        [
          503,
          'feature_disabled',
          'Domain registration is off for this account: manifests of registrations cannot be planned (REG-01).',
        ],
      ],
    ),
    feature(
      'mailspaces',
      'mail hosting',
      areas.mailspaces,
      `Mail hosting answers: ${count(areas.mailspaces, '/mailspaces', 'mailspace')}.`,
      [[503, 'mailhost_unavailable', 'Mail hosting is not set up on this platform (MSP-12).']],
    ),
    feature('panel', 'panel accounts', areas.panel, 'Panel accounts are on.', [
      [403, 'panel_not_enabled', 'Panel accounts are not enabled for this account (PNL-09).'],
    ]),
    ...(site === undefined
      ? [
          checkOf('features', 'site features').unknown(
            'CDN, Shield and mail of sites: there is no site of this account to look at.',
          ),
        ]
      : siteFindings(site)),
  ];
}

function billing({ order }: AccountReads, { orders }: NonNullable<AccountReads['areas']>): Finding {
  const unknown = (why: string): Finding => billingCheck.unknown(`How the account is billed is not known: ${why}.`);
  if (orders.status !== 200) return unknown(why(orders));
  if (order === undefined) return unknown('it has no order yet');
  const method = order.body === undefined ? undefined : valueAt(order.body, '/payment/method_type');
  if (typeof method === 'string')
    return billingCheck.ok(`The newest order was paid through the platform's payment processor (${method}).`);
  return unknown(
    'the newest order names no payment method: it may be billed by somebody outside (ORD-14), or not be paid yet',
  );
}

type Absence = readonly [status: number, code: string, says: string];

function feature(check: string, what: string, look: ProbeRead, says: string, absences: readonly Absence[]): Finding {
  const { ok, unknown } = checkOf('features', check);
  if (look.status === 200) return ok(says);
  const absence = absences.find(([status, code]) => look.status === status && look.code === code);
  // Not to have a feature is no fault: only what manifests ask for could be one, and a plan says that.
  return absence === undefined ? unknown(`What there is of ${what} is not known: ${why(look)}.`) : ok(absence[2]);
}

function siteFindings({ name, of, cdn, shield, mail }: SiteReads): readonly Finding[] {
  const where = of === 1 ? `site ${name}` : `site ${name} (the first of ${of})`;
  return [
    switched('cdn', cdn, `the CDN of ${where}`, [[409, 'cdn_not_active', `The CDN of ${where} is off (CDN-01).`]]),
    switched('shield', shield, `Shield of ${where}`, [
      [403, 'shield_not_in_plan', `The plan of ${where} has no Shield (SHD-01).`],
      [409, 'shield_not_active', `Shield of ${where} is not switched on.`],
    ]),
    feature('site mail', `mail of ${where}`, mail, `Mail of ${where}: ${mailState(mail)}.`, [
      [503, 'mailprovider_unavailable', 'Mail of sites is not set up on this platform.'],
    ]),
  ];
}

/** What says of itself whether it is on. */
function switched(check: string, look: ProbeRead, what: string, absences: readonly Absence[]): Finding {
  const active =
    look.body === undefined
      ? undefined
      : ['/active', '/cdn/active', '/shield/active']
          .map((pointer) => valueAt(look.body, pointer))
          .find((value) => typeof value === 'boolean');
  if (look.status === 200 && active === undefined)
    return checkOf('features', check).unknown(`Whether ${what} is on, its answer does not say.`);
  return feature(check, what, look, `${capital(what)} is ${active === true ? 'on' : 'off'}.`, absences);
}

function mailState({ body }: ProbeRead): string {
  const status = body === undefined ? undefined : valueAt(body, '/mail/status');
  return typeof status === 'string' ? status : 'it has no account';
}

function count({ body }: ProbeRead, pointer: string, word: string): string {
  const rows = rowsOf(body, pointer).length;
  return rows === 0 ? `no ${word} yet` : plural(rows, word);
}

function why({ status, code, reason, error }: ProbeRead): string {
  if (error === 'insufficient-scope') return 'the credential lacks the scope';
  return status === null
    ? (reason ?? 'no answer came')
    : `the platform answered ${status}${code === null ? '' : ` (${code})`}`;
}
