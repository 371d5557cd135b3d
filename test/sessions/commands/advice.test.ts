// What `explain` says to do about a code of a plan or a run, done to the letter: the code is not told again. The codes
// of manifests and of the workspace file are in manifest/diagnostics.test.ts.
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { codes } from '../../../src/manifest/read/codes.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import type { ApplyOptions } from '../../../src/usecases/apply/run.ts';
import { codes as explained } from '../../../src/usecases/explain/generated/codes.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import type { Harness } from '../../support/harness.ts';
import { startHarness } from '../../support/harness.ts';
import { memoryFolder } from '../../support/memory-folder.ts';
import type { Ended } from '../../support/processes/run-here.ts';
import { runHere } from '../../support/processes/run-here.ts';
import { hasTest } from '../../support/titles.ts';
import { LINES, write } from './advice-lines.ts';

type Manifests = readonly JsonObject[];
interface Trial {
  readonly scenario?: string;
  /** False: there is no ledger yet. */
  readonly ledger?: false;
  readonly before: Manifests;
  /** With the edit that is advised; absent: the manifests stay. */
  readonly after?: Manifests;
  /** What a person does outside, where that is advised. */
  readonly outside?: (one: Harness) => unknown;
  /** It is told by apply; the options before, and those that are advised. */
  /** What happens between the plan of the first apply and its run. */
  readonly meanwhile?: (one: Harness) => unknown;
  readonly apply?: readonly [before: Partial<ApplyOptions>, after: Partial<ApplyOptions>];
}

const manifest = (kind: string, name: string, spec: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'hostwright/v1',
  kind,
  metadata: { name },
  ...more,
  spec,
});
const live = (name: string, spec: JsonObject, more: JsonObject = {}): JsonObject =>
  manifest('Site', name, spec, { metadata: { name, id: `site-${name}` }, ...more });
const name = (of: string, spec: JsonObject): JsonObject => manifest('DomainRegistration', of, spec);
const absent = { lifecycle: { state: 'absent' } };
const alone = live('shop', { domains: ['shop.example.com'], unlisted: { domains: 'remove' } });
const bigger = live('docs', { plan: 'pro' });

const caching = live('shop', { caching: { cacheExpiration: 600 } });
const panel = (order: JsonObject): JsonObject => manifest('PanelAccount', 'blog', { package: 'mini', order });
const OWNER = { contacts: { owner: { ref: 'Contact/shared' } } };
const shared = manifest('Contact', 'shared', {
  firstName: 'Shared',
  lastName: 'Vries',
  streetAddress: 'Main Street 1',
  postCode: '1000',
  city: 'Town',
  country: 'DE',
  email: 'shared@acme.example',
  phone: '+49.301234567',
});
const user = (file: string): JsonObject =>
  manifest('User', 'new', { email: 'new@example.com', fname: 'New', lname: 'User', credentialsTo: { file } });

const TRIALS: Readonly<Record<string, Trial>> = {
  HW2001: {
    before: [manifest('Site', 'shop', {}, { metadata: { name: 'shop', id: 'site-shoop' } })],
    after: [live('shop', {})],
  },
  HW2003: {
    before: [manifest('Site', 'a', { domains: ['shop.example.com', 'docs.example.com'] })],
    after: [live('shop', { domains: ['shop.example.com'] })],
  },
  HW2004: {
    before: [live('shop', {}), manifest('Site', 'other', { domains: ['shop.example.com'] })],
    after: [live('shop', {})],
  },
  HW2006: { before: [live('docs', {}, absent)], after: [live('docs', {})] },
  HW2010: {
    scenario: 'panel',
    before: [panel({ term: 'monthly', domain: 'acmeblog.example.com' })],
    after: [panel({ term: 'annual', domain: 'acmeblog.example.com' })],
  },
  HW2045: { ledger: false, before: [live('shop', {})] },
  HW2060: { before: [manifest('Site', 'gone', {}, { metadata: { name: 'gone', id: 'gone' }, ...absent })], after: [] },
  HW2061: {
    before: [
      manifest('Site', 'new', { plan: 'gold', order: { variant: 'vanilla', location: 'ams', term: 'monthly' } }),
    ],
    after: [manifest('Site', 'new', { plan: 'mini', order: { variant: 'vanilla', location: 'ams', term: 'monthly' } })],
  },
  HW2062: {
    before: [live('shop', { domains: [{ hostname: 'shop.example.com', attach: 'cname' }] })],
    after: [live('shop', { domains: [{ hostname: 'shop.example.com', attach: 'dns' }] })],
  },
  HW2201: {
    before: [live('docs', {}, { lifecycle: { state: 'absent', protect: true } })],
    after: [live('docs', {}, { lifecycle: { state: 'absent', protect: false } })],
    apply: [{ allowDeletes: 1 }, { allowDeletes: 1 }],
  },
  HW2202: { before: [alone], apply: [{}, { allowDeletes: 1 }] },
  HW2204: { before: [bigger], apply: [{}, { allowCharges: 1 }] },
  HW2205: { before: [bigger], apply: [{ allowCharges: 1, maxSpend: '0.01 EUR' }, { allowCharges: 1 }] },
  HW2206: { ledger: false, before: [bigger], apply: [{ allowCharges: 1 }, { allowCharges: 1 }] },
  HW2210: {
    before: [alone],
    apply: [
      { allowDeletes: 1, approve: ['create'] },
      { allowDeletes: 1, approve: ['create', 'delete'] },
    ],
  },
  HW2310: {
    scenario: 'registrar',
    before: [name('plain.com', { autoRenew: false })],
    after: [name('plain.com', { autoRenew: true })],
  },
  HW2390: {
    scenario: 'shield',
    before: [live('premium', { shield: { waf: { disabledRules: ['942110'] } } })],
    after: [live('premium', { shield: { waf: { disabledRules: ['942100'] } } })],
  },
  HW2391: {
    scenario: 'registrar',
    before: [name('unrenewed.com', { autoRenew: false })],
    after: [name('unrenewed.com', { autoRenew: true })],
  },
  HW2502: {
    scenario: 'registrar',
    before: [shared, name('one.com', OWNER)],
    outside: ({ sandbox }) => {
      const { contacts, registrations } = sandbox.state.registrar;
      const one = registrations.get('reg-one.com')!;
      contacts.set(899, { ...contacts.get(one.ownerId ?? 0)!, id: 899 });
      Object.assign(one, { ownerId: 899, adminId: 899, techId: 899, billingId: 899 });
    },
  },
  HW2501: {
    scenario: 'registrar',
    before: [name('signed.com', { nameservers: ['ns1.elsewhere.example', 'ns2.elsewhere.example'] })],
    after: [name('signed.com', { dnssec: { enabled: false } })],
  },
  HW4001: {
    before: [caching],
    apply: [{}, {}],
    meanwhile: ({ sandbox }) => (sandbox.state.sites.get('site-shop')!.cdn.caching.cache_expiration = 5),
  },
  HW4013: {
    before: [user('credentials/new.json')],
    after: [user('credentials/other.json')],
    apply: [{}, {}],
    meanwhile: (one) => one.write('credentials/new.json', ''),
  },
};

/** The tests that do what is advised, by their file and title. */
const TRIED: Readonly<Record<string, readonly [file: string, title: string]>> = {
  HW2007: [
    'sessions/site/moves.test.ts',
    'O-14: is one action on the new address, back to back, under the locks of both sites, and then all is quiet',
  ],
  HW2008: [
    'sessions/mail/mail-passwords.test.ts',
    'MBX-22: is not written because nobody knows its mark; from then on a change of the mark writes it once',
  ],
  HW2009: [
    'sessions/user/users.test.ts',
    'USR-03, USR-06: of a user that the list shows: it is there, its credentials are lost, and that is said, now and in plans',
  ],
  HW2103: [
    'sessions/faults/saved-plan.test.ts',
    'runs the rest when something is blocked now, and takes the same plan again when it is not',
  ],
  HW2110: [
    'sessions/commands/other-account.test.ts',
    'a comment and a plan are refused with the name of their account, bare digests are not the reviewed ones',
  ],
  HW2111: [
    'sessions/commands/unreviewed.test.ts',
    'runs where a person was asked and said yes; that it was agreed to in another way is not enough',
  ],
  HW2158: ['sessions/faults/saved-plan.test.ts', 'is refused for %s'],
  HW2207: [
    'sessions/user/users.test.ts',
    'HW2207: is not made without a complete ledger: no list need show who was made before',
  ],
  HW2302: ['kinds/shield/shield.test.ts', 'case 53, SHD-26: learning that is over is said, and not started again'],
  HW2394: [
    'sessions/site/order-and-shield.test.ts',
    'SHD-07: no call sets the end, so --days is kept in the ledger, and told until learning is ended',
  ],
  HW2580: [
    'sessions/registration/contact-delete.test.ts',
    'DCT-06, REG-26: the plan of a changed role says which contact stays behind',
  ],
  HW2801: ['sessions/commands/rehearse.test.ts', 'finds nothing once what it names is changed'],
  HW2802: [
    'sessions/commands/rehearse.test.ts',
    'says what would not hold, and nothing once the kept value is declared',
  ],
  HW2803: ['sessions/commands/rehearse.test.ts', 'makes nothing up: what was not read is not rehearsed'],
  HW2804: [
    'sessions/commands/rehearse.test.ts',
    'says what depends on a reading of the documents, and refuses nothing for it',
  ],
  HW2805: ['sessions/commands/rehearse.test.ts', 'that passed is held against an apply that fails, of %s'],
  HW4002: ['apply/interpreter.test.ts', 'leaves out what cannot be read and what needs it, and does the rest'],
  HW4004: ['sessions/faults/beside.test.ts', 'O-72: holds back other purchases, and nothing else'],
  HW4008: [
    'apply/interpreter.test.ts',
    'refuses what was not reviewed, what was carried out before, and what is for another account',
  ],
  HW4009: [
    'sessions/faults/saved-plan.test.ts',
    'runs the rest when something is blocked now, and takes the same plan again when it is not',
  ],
  HW4011: [
    'apply/interpreter.test.ts',
    'refuses what was not reviewed, what was carried out before, and what is for another account',
  ],
  HW4012: [
    'sessions/faults/deadline.test.ts',
    'at every point of a run: nothing that writes begins after it, and the next run converges',
  ],
  HW4502: [
    'sessions/registration/registration-command.test.ts',
    'REG-30: a lost answer is looked up, and where nothing shows, not sent again blind',
  ],
  HW4506: ['sessions/commands/act-loops.test.ts', 'dies at signs of life'],
  HW4581: [
    'sessions/site/restore.test.ts',
    'TSK-09, CNV-30: a lost answer is not taken for a refusal, and the next run does not send it again',
  ],
  HW4589: [
    'sessions/registration/contact-command.test.ts',
    'DCT-07: is remembered in a ledger that is there, and sent again within a day only where --resend says so',
  ],
  HW5001: [
    'apply/ledger.test.ts',
    'with a damaged middle is set aside, and apply refuses until it is restored or begun anew',
  ],
  HW5002: ['apply/ledger.test.ts', 'of a newer format, or of another account, is refused and left alone'],
  HW5005: [
    'apply/ledger.test.ts',
    'with a damaged middle is set aside, and apply refuses until it is restored or begun anew',
  ],
  HW5006: ['sessions/faults/bad-answers.test.ts', 'after action %i of 2: what was done is told, and no bug is claimed'],
  HW5007: ['sessions/commands/init.test.ts', 'is begun on the remote; without one nothing is written'],
  HW5011: ['apply/ledger.test.ts', 'forgets, confirms, and says what is not there'],
  HW5012: ['apply/lock.test.ts', 'respects a living owner, says who it is, and takes over from a dead one'],
  HW5013: ['apply/http-store.test.ts', 'a lock that cannot be given back is told, and what was written stands'],
  HW5015: ['sessions/commands/history.test.ts', 'says that a row was changed, or taken out'],
  HW5016: [
    'sessions/commands/history.test.ts',
    'edits the value that a run changed, with its comment, and takes out what it added',
  ],
  HW6040: [
    'cli/completion.test.ts',
    'sends no token to the address of a workspace that was cloned, until the user confirms it at a terminal',
  ],
  HW6041: [
    'cli/completion.test.ts',
    'sends no token to the address of a workspace that was cloned, until the user confirms it at a terminal',
  ],
  HW6101: ['sessions/export/accept.test.ts', 'that does not differ is said, and nothing is written'],
  HW6102: [
    'sessions/commands/unreviewed.test.ts',
    'runs where a person was asked and said yes; that it was agreed to in another way is not enough',
  ],
  HW6103: ['sessions/mail/dns-check.test.ts', 'MDM-20, GAP-40 = %s: is asked once, and told to be too soon'],
  HW6104: [
    'sessions/faults/guards.test.ts',
    'that cannot be read (%o) stop the run before anything is sent; an empty name is none',
  ],
  HW6105: [
    'sessions/faults/guards.test.ts',
    'count, whatever the branch gave itself; the refusal says what would allow it',
  ],
  HW6141: ['sessions/commands/changed-since.test.ts', 'since %s: there is no such commit'],
  HW6144: [
    'sessions/commands/changed-since.test.ts',
    'a manifest that said to delete, and did its work, is not missed',
  ],
  HW6510: ['cli/program.test.ts', 'runs until it is told to stop'],
  HW6511: [
    'sessions/faults/shared-ledger.test.ts',
    'is used with the credentials of the environment, which nothing shows',
  ],
  HW6571: ['cli/program.test.ts', 'has no working directory any more: that is said, and nothing is run'],
  HW6602: ['cli/github.test.ts', 'writes on the pull request that it is given, or that the event is about'],
  HW6604: ['cli/github.test.ts', 'writes on the pull request that it is given, or that the event is about'],
  HW6605: ['cli/github.test.ts', 'writes on the pull request that it is given, or that the event is about'],
  HW6606: ['cli/github.test.ts', 'warns when the token is of another account than is believed'],
  HW6607: ['ci/action.test.ts', 'does what the comment approves, and answers'],
  HW6608: ['cli/github.test.ts', 'writes an empty set, and says why, when nobody approved'],
  HW6620: ['cli/gitlab.test.ts', 'writes on the merge request of the pipeline, or on the one that it is given'],
  HW6622: ['cli/gitlab.test.ts', 'writes on the merge request of the pipeline, or on the one that it is given'],
  HW6623: ['cli/gitlab.test.ts', 'writes on the merge request of the pipeline, or on the one that it is given'],
  HW6624: ['cli/gitlab.test.ts', 'writes on the merge request of the pipeline, or on the one that it is given'],
  HW6625: [
    'ci/gitlab.test.ts',
    'a merge of what nobody reviewed is refused, whatever a note that another changed says; by hand everything runs',
  ],
  HW6660: ['cli/fleet.test.ts', 'are shown, and removed by run, job or machine; another one stays'],
  HW6662: ['cli/fleet.test.ts', 'is not one whose folder was renamed; a workspace file with another ending is told'],
  HW6663: ['cli/fleet.test.ts', 'is not one whose folder was renamed; a workspace file with another ending is told'],
  HW6670: [
    'sessions/commands/next-steps.test.ts',
    'files that were exported where no plan reads them are told, with the place where it does',
  ],
  HW6711: ['sessions/export/accept.test.ts', 'is what came from standard input, and a file that was changed meanwhile'],
  HW6718: ['sessions/export/accept.test.ts', 'are changed in the contact that holds them; who else it is for is said'],
  HW6728: ['constructs/convert.test.ts', 'is named where a command would write into what it made'],
  HW6729: ['mcp/attempts.test.ts', 'was one of more than forty; what may be done is done in the same place'],
  HW6740: ['sessions/commands/trace.test.ts', 'HW6740: the hostname of no manifest is found on the account'],
  HW6750: [
    'cli/upgrade-check.test.ts',
    'plans the same, from an archive and from a folder; each read is sent once, and nothing else',
  ],
  HW6751: ['cli/upgrade-check.test.ts', 'that makes no plan, or is not there, is told with why; nothing was compared'],
  HW6752: [
    'cli/upgrade-check.test.ts',
    'has no token, no secret and no file but the manifests and the ledger; what it does beside reads is refused',
  ],
  HW6732: ['cli/agents.test.ts', 'leaves what somebody else wrote, and follows no link'],
  HW6730: ['constructs/convert.test.ts', 'declares what %s says, and synth writes it again'],
  HW2603: [
    'sessions/commands/observed.test.ts',
    'what cannot be read is named and is no difference, and not named any more when it is read',
  ],
  HW6746: [
    'sessions/commands/observed.test.ts',
    'what is about a person and what is secret is in no file, and reported until it is declared',
  ],
  HW6748: [
    'sessions/commands/history.test.ts',
    'HW6748: what was deleted is written back, but for what the history does not keep',
  ],
  HW6906: ['sessions/commands/fleet.test.ts', 'a first account that does not end well holds back the others'],
  HW6911: ['terraform/accidents.test.ts', 'DOM-15: a hostname moves in one apply, and two resources never have it'],
  HW6912: ['terraform/core.test.ts', 'HW6912: is not replaced, tainted or not'],
  HW6913: ['terraform/core.test.ts', 'is waited for as long as `timeouts` says, and goes on with the next apply'],
  HW6914: ['terraform/core.test.ts', 'DOM-15: hands a hostname over in one step, or not: %s'],
  HW7001: ['terraform/core.test.ts', 'is not bought without a ledger, nor beyond the guards'],
  HW7002: ['terraform/reported.test.ts', 'HW7002: is kept, with a warning, while it cannot be read'],
  HW7004: ['terraform/core.test.ts', 'is destroyed as `deletion` says'],
  HW7005: ['terraform/core.test.ts', 'HW7005: is left alone when the live side changed since the plan'],
  HW7006: ['terraform/core.test.ts', 'that is live and in no state is not taken over without a word'],
  HW7007: ['terraform/core.test.ts', 'reaches the platform, and is in no state, no plan and no message'],
  HW7008: ['terraform/advice.test.ts', '%s: what is advised helps'],
  HW7009: [
    'terraform/blocked.test.ts',
    'PHP-04: with on_blocked = "warn" the rest is done, and the state never says "ready"',
  ],
  HW7010: ['terraform/core.test.ts', 'whose payment waits outside is in the state at once: %s'],
  HW7011: ['terraform/advice.test.ts', '%s: what is advised helps'],
  HW7012: ['terraform/kills.test.ts', 'O-43: $name'],
  HW7013: ['terraform/advice.test.ts', 'HW7013: with an account and an address in the provider block it is configured'],
  HW7014: ['terraform/data.test.ts', 'is found by id, by hostname and by name, with its settings'],
  HW7017: ['terraform/advice.test.ts', '%s: what is advised helps'],
  HW7018: ['terraform/advice.test.ts', '%s: what is advised helps'],
  HW7019: ['terraform/advice.test.ts', '%s: what is advised helps'],
  HW7020: ['terraform/advice.test.ts', '%s: what is advised helps'],
  HW7021: ['terraform/data.test.ts', 'REG-32: tells what a name costs, and buys nothing'],
  HW7022: ['terraform/core.test.ts', 'has a word for its destroy, or is refused before anything is planned'],
  HW7023: [
    'terraform/blocked.test.ts',
    'SIT-11: what a site was ordered with is used once, and another value is an error',
  ],
  HW7024: [
    'terraform/blocked.test.ts',
    'what was bought and is gone is not bought again without a word; all else is planned',
  ],
  HW7025: [
    'terraform/core.test.ts',
    'HW7025: a secret in two places, or in none, is refused before anything is planned',
  ],
  HW6523: [
    'sessions/commands/notify-state.test.ts',
    'that the environment does not name costs a warning, and only when there is something to tell',
  ],
  HW6524: [
    'sessions/commands/notify-state.test.ts',
    'without a ledger is told by every run, which says so, and once when there is one',
  ],
  HW6525: ['sessions/commands/notify-state.test.ts', 'is tried by `notify test`, which asks the account nothing'],
  HW7101: ['events/command.test.ts', 'takes messages until SIGTERM, and hands their runs to a program'],
  HW7102: ['events/command.test.ts', 'takes messages until SIGTERM, and hands their runs to a program'],
  HW7104: ['events/command.test.ts', 'takes messages until SIGTERM, and hands their runs to a program'],
  HW7110: [
    'events/end-to-end.test.ts',
    'ORD-24: nothing is bought when the secret of the callback is missing, and no secret is written anywhere',
  ],
  HW7131: ['worker/parts.test.ts', 'is told before anything is loaded: the version of Node.js first'],
  HW7133: ['worker/parts.test.ts', 'is told before anything is loaded: the version of Node.js first'],
  HW7162: [
    'sessions/faults/postgres-ledger.test.ts',
    'are what `init --ledger postgres` begins, and `doctor` looks at',
  ],
  HW7163: ['sessions/faults/postgres-ledger.test.ts', 'are begun for a whole fleet, and shown in one look'],
  HW7164: ['sessions/faults/postgres-ledger.test.ts', 'are begun for a whole fleet, and shown in one look'],
  HW7135: [
    'worker/queue.test.ts',
    'runs what was asked for before it was there, one run for all requests of an account, and tells of it',
  ],
  HW7137: [
    'worker/queue.test.ts',
    'runs what was asked for before it was there, one run for all requests of an account, and tells of it',
  ],
  HW7138: [
    'worker/queue.test.ts',
    'runs what was asked for before it was there, one run for all requests of an account, and tells of it',
  ],
  HW7139: ['worker/operate.test.ts', 'says what failed and why, and makes nothing where no worker has been'],
  HW7140: ['worker/operate.test.ts', 'runs at once what failed and what was given up, for all that was asked for'],
  HW7142: ['worker/queue.test.ts', 'ends when another one is started with its identity'],
  HW7141: [
    'worker/operate.test.ts',
    'forgets what nobody looks after, when somebody agrees, and no run that is under way',
  ],
  HW7026: [
    'terraform/identity.test.ts',
    'is an error where the list could not be read, and nothing where the feature is off',
  ],
};
/** Somebody outside has to act: who, and why. */
const OUTSIDE: Readonly<Record<string, string>> = {
  HW2011: 'the platform, which takes some minutes',
  HW2046: 'the dashboard, which alone sets the action of a list',
  HW2112: 'a person at a terminal',
  HW2392: 'whoever reads the mail, or the dashboard',
  HW2393: 'the bank, or the holder of the card',
  HW3003: 'nobody: each setting that leads to it is refused before, as HW6002, HW6009 or HW6501',
  HW4010: 'whoever mends the bug: no manifests make a circle',
  HW4505: 'the platform, which adds the mail account',
  HW4580: 'whoever owns the disk of the ledger; HW5006 is the same in a run',
  HW5003: 'whoever has the newer version, which is not written yet',
  HW6522: 'whoever runs the receiver',
  HW6570: 'whoever reads standard output, or owns its disk',
  HW6579: 'the dashboard, which alone shows the code',
  HW6603: 'the owner of the repository, who gives the job its permissions',
  HW6621: 'the owner of the project, who makes the access token',
  HW6702: 'whoever mends the bug: what is exported plans to nothing',
  HW6708: 'whoever mends the bug: a program declares what the YAML does',
  HW6709: 'whoever mends the bug: what is exported plans to nothing',
  HW6712: 'whoever owns the disk; HW6704 is the same of an export',
  HW6719: 'whoever wrote the manifest: the lines are in Git, and not in the history',
  HW6731: 'whoever mends the bug: what is converted declares what the YAML does',
  HW6903: 'whoever mends the bug',
  HW7031: 'another machine than one with Windows',
  HW7132: 'the registry that `npm install` asks',
  HW7134: 'whoever runs the database',
  HW7136: 'whoever mends the bug',
  HW7161: 'the registry that `npm install` asks',
};
/** Codes of a plan or a run whose advice nobody follows in a test: a new code comes with a row. */
const NOT_YET = 0;

const WORKSPACE =
  'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [sites]\n';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

/** The advice is that nobody has to do anything. */
const isNothing = (code: string): boolean => explained[code]?.fix.startsWith('Nothing has to be done.') === true;

describe('the advice on a code of a plan or a run', () => {
  it('is followed here, or in a test that there is; of the rest there are only ever fewer', () => {
    const known = [TRIALS, LINES, TRIED, OUTSIDE].flatMap((table) => Object.keys(table));
    expect(known.filter((code, at) => !(code in explained) || known.indexOf(code) !== at)).toEqual([]);
    for (const [code, [file, title]] of Object.entries(TRIED)) {
      expect(hasTest(file, title), `${code} ${file}`).toBe(true);
      // The title of a table is that of many codes.
      if (title.startsWith('%s:'))
        expect(readFileSync(join(import.meta.dirname, '../..', file), 'utf8')).toContain(code);
    }
    const rest = Object.keys(explained).filter((code) => !known.includes(code) && !(code in codes) && !isNothing(code));
    expect(rest.length, rest.join(' ')).toBeLessThanOrEqual(NOT_YET);
  });

  it.each(Object.entries(TRIALS))(
    '%s helps',
    async (code, { scenario, ledger = true, before, after, apply, meanwhile, outside }) => {
      const one = (harness = await startHarness({
        ...(ledger && { ledger }),
        ...(scenario !== undefined && { scenario }),
        workspace: `${WORKSPACE}  ledger: { file: .hostwright/ledger.json }\n  secrets: { keep: [credentials/] }\n`,
      }));
      const told = async (manifests: Manifests, options?: Partial<ApplyOptions>): Promise<readonly string[]> => {
        const all = [...manifests, manifest('SiteProfile', 'filler', {})];
        await one.write('sites/all.yaml', all.map((each) => JSON.stringify(each)).join('\n---\n'));
        if (options !== undefined) {
          const { outcome } = await one.apply(options);
          return outcome.diagnostics.map((diagnostic) => diagnostic.code);
        }
        const { plan, diagnostics } = await one.plan();
        return [...(plan?.notices ?? []), ...diagnostics].map((diagnostic) => diagnostic.code);
      };
      const confirm = async (): Promise<boolean> => {
        await meanwhile?.(one);
        return true;
      };
      expect(await told(before, apply && { ...apply[0], confirm })).toContain(code);
      if (!ledger) await ledgerCommand(one.session(), { do: 'init' });
      await outside?.(one);
      expect(await told(after ?? before, apply?.[1])).not.toContain(code);
    },
  );
});

/** A line as a shell takes it: the variables before the command, and its words. */
function taken(line: string): { readonly env: Readonly<Record<string, string>>; readonly argv: readonly string[] } {
  const words = [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replaceAll(/['"]/g, ''));
  const begin = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const env = words
    .slice(0, begin)
    .map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);
  const argv = words.slice(words[begin] === 'hostwright' ? begin + 1 : begin);
  return { env: Object.fromEntries(env) as Readonly<Record<string, string>>, argv };
}

describe('the advice on a code that a command line is told', () => {
  it.each(Object.entries(LINES))('%s helps', async (code, line) => {
    const { of = {}, example, files = {}, account, first = [], meanwhile, told, follow, then = [told], input } = line;
    const sandbox = await startSandbox(of);
    const folder = await mkdtemp(join(memoryFolder, 'hostwright-'));
    const place = { sandbox, folder };
    harness = {
      close: async () => {
        await sandbox.close();
        await rm(folder, { recursive: true, force: true });
      },
    } as Harness;
    await write('hostwright.yaml', WORKSPACE)(place);
    if (example !== undefined)
      await cp(join(import.meta.dirname, '../../../examples', example), folder, { recursive: true });
    for (const [file, text] of Object.entries(files)) await write(file, text)(place);
    account?.(sandbox);
    const type = async (words: string, given?: string): Promise<Ended & { readonly all: string }> => {
      const { env, argv } = taken(words);
      const base = {
        PATH: process.env.PATH,
        HOME: folder,
        HOSTWRIGHT_CACHE: 'off',
        HOSTWRIGHT_TOKEN: API_KEY,
        HOSTWRIGHT_API_URL: sandbox.url,
      };
      const ended = await runHere(argv, {
        cwd: folder,
        env: { ...base, ...env },
        clock: sandbox.clock,
        ...(given !== undefined && { input: given }),
      });
      return { ...ended, all: `${words}\n${ended.stdout}${ended.stderr}` };
    };
    for (const words of first) {
      const ended = await type(words);
      expect([0, line.code ?? 0], ended.all).toContain(ended.code);
    }
    await meanwhile?.(place);
    expect((await type(told, input)).all).toContain(code);
    await follow?.(place);
    for (const [index, words] of then.entries()) {
      const { code: ended, all } = await type(words);
      const isLast = index === then.length - 1;
      expect([isLast ? (line.code ?? 0) : 0, line.code ?? 0], all).toContain(ended);
      if (isLast) expect(all).not.toContain(code);
    }
  });
});
