// What `explain` says to do about a code of a plan or a run, done to the letter: the code is not told again. The codes
// of manifests and of the workspace file are in manifest/diagnostics.test.ts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/model/codes.ts';
import { CODES } from '../../../src/model/codes.ts';
import type { ApplyOptions } from '../../../src/usecases/apply/run.ts';
import { codes as explained } from '../../../src/usecases/explain/generated/codes.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import type { Harness } from '../../support/harness.ts';
import { CONTACT, manifest, siteManifest, workspaceFile } from '../../support/manifests.ts';
import { openCommandLine } from '../../support/command-line.ts';
import { openHarness } from '../../support/open-harness.ts';
import { hasTest } from '../../support/titles.ts';
import { LINES } from './advice-lines.ts';

type Manifests = readonly string[];
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

const name = (of: string, spec: object): string => manifest('DomainRegistration', of, spec);
const absent = { lifecycle: { state: 'absent' } };
const alone = siteManifest('shop', { domains: ['shop.example.com'], unlisted: { domains: 'remove' } });
const bigger = siteManifest('docs', { plan: 'pro' });

const caching = siteManifest('shop', { caching: { cacheExpiration: 600 } });
const panel = (order: object): string => manifest('PanelAccount', 'blog', { package: 'mini', order });
const OWNER = { contacts: { owner: { ref: 'Contact/shared' } } };
const shared = manifest('Contact', 'shared', {
  ...CONTACT,
  firstName: 'Shared',
  lastName: 'Vries',
  email: 'shared@acme.example',
});
const user = (file: string): string =>
  manifest('User', 'new', { email: 'new@example.com', fname: 'New', lname: 'User', credentialsTo: { file } });

const TRIALS: Readonly<Record<string, Trial>> = {
  HW2001: {
    before: [manifest('Site', 'shop', {}, { id: 'site-shoop' })],
    after: [siteManifest('shop', {})],
  },
  HW2003: {
    before: [manifest('Site', 'a', { domains: ['shop.example.com', 'docs.example.com'] })],
    after: [siteManifest('shop', { domains: ['shop.example.com'] })],
  },
  HW2004: {
    before: [siteManifest('shop', {}), manifest('Site', 'other', { domains: ['shop.example.com'] })],
    after: [siteManifest('shop', {})],
  },
  HW2006: { before: [siteManifest('docs', {}, absent)], after: [siteManifest('docs', {})] },
  HW2010: {
    scenario: 'panel',
    before: [panel({ term: 'monthly', domain: 'acmeblog.example.com' })],
    after: [panel({ term: 'annual', domain: 'acmeblog.example.com' })],
  },
  HW2045: { ledger: false, before: [siteManifest('shop', {})] },
  HW2060: { before: [manifest('Site', 'gone', {}, { id: 'gone', ...absent })], after: [] },
  HW2061: {
    before: [
      manifest('Site', 'new', { plan: 'gold', order: { variant: 'vanilla', location: 'ams', term: 'monthly' } }),
    ],
    after: [manifest('Site', 'new', { plan: 'mini', order: { variant: 'vanilla', location: 'ams', term: 'monthly' } })],
  },
  HW2062: {
    before: [siteManifest('shop', { domains: [{ hostname: 'shop.example.com', attach: 'cname' }] })],
    after: [siteManifest('shop', { domains: [{ hostname: 'shop.example.com', attach: 'dns' }] })],
  },
  HW2201: {
    before: [siteManifest('docs', {}, { lifecycle: { state: 'absent', protect: true } })],
    after: [siteManifest('docs', {}, { lifecycle: { state: 'absent', protect: false } })],
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
    before: [siteManifest('premium', { shield: { waf: { disabledRules: ['942110'] } } })],
    after: [siteManifest('premium', { shield: { waf: { disabledRules: ['942100'] } } })],
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

/** The tests that do what is advised, by their file and title; the codes that each is about. */
const TRIED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'sessions/site/moves.test.ts': {
    'O-14: is one action on the new address, back to back, under the locks of both sites, and then all is quiet':
      'HW2007',
  },
  'sessions/mail/mail-passwords.test.ts': {
    'MBX-22: is not written because nobody knows its mark; from then on a change of the mark writes it once': 'HW2008',
  },
  'sessions/user/users.test.ts': {
    'USR-03, USR-06: of a user that the list shows: it is there, its credentials are lost, and that is said, now and in plans':
      'HW2009',
    'HW2207: is not made without a complete ledger: no list need show who was made before': 'HW2207',
  },
  'sessions/faults/saved-plan.test.ts': {
    'runs the rest when something is blocked now, and takes the same plan again when it is not': 'HW2103 HW4009',
    'is refused for %s': 'HW2158',
  },
  'sessions/commands/other-account.test.ts': {
    'a comment and a plan are refused with the name of their account, bare digests are not the reviewed ones': 'HW2110',
  },
  'sessions/commands/unreviewed.test.ts': {
    'runs where a person was asked and said yes; that it was agreed to in another way is not enough': 'HW2111 HW6102',
  },
  'kinds/shield/shield.test.ts': {
    'case 53, SHD-26: learning that is over is said, and not started again': 'HW2302',
  },
  'sessions/site/order-and-shield.test.ts': {
    'SHD-07: no call sets the end, so --days is kept in the ledger, and told until learning is ended': 'HW2394',
  },
  'sessions/registration/contact-delete.test.ts': {
    'DCT-06, REG-26: the plan of a changed role says which contact stays behind': 'HW2580',
  },
  'sessions/commands/rehearse.test.ts': {
    'finds nothing once what it names is changed': 'HW2801',
    'says what would not hold, and nothing once the kept value is declared': 'HW2802',
    'makes nothing up: what was not read is not rehearsed': 'HW2803',
    'says what depends on a reading of the documents, and refuses nothing for it': 'HW2804',
    'that passed is held against an apply that fails, of %s': 'HW2805',
  },
  'apply/interpreter.test.ts': {
    'leaves out what cannot be read and what needs it, and does the rest': 'HW4002',
    'refuses what was not reviewed, what was carried out before, and what is for another account': 'HW4008 HW4011',
  },
  'sessions/faults/beside.test.ts': {
    'O-72: holds back other purchases, and nothing else': 'HW4004',
  },
  'sessions/faults/deadline.test.ts': {
    'at every point of a run: nothing that writes begins after it, and the next run converges': 'HW4012',
  },
  'sessions/registration/registration-command.test.ts': {
    'REG-30: a lost answer is looked up, and where nothing shows, not sent again blind': 'HW4502',
  },
  'sessions/commands/act-loops.test.ts': {
    'dies at signs of life': 'HW4506',
  },
  'sessions/site/restore.test.ts': {
    'TSK-09, CNV-30: a lost answer is not taken for a refusal, and the next run does not send it again': 'HW4581',
  },
  'sessions/registration/contact-command.test.ts': {
    'DCT-07: is remembered in a ledger that is there, and sent again within a day only with --again': 'HW4589',
  },
  'sessions/commands/lost-purchases.test.ts': {
    'is reported by plan with its id, until it is dismissed': 'HW2063',
    'is refused while the former store has the ledger of this account, and names the command that moves it':
      'HW5017 HW5018',
    'is refused while a paid object is bound to nothing, unless a person says that it may be begun': 'HW5020',
    'is given up by one command: refused while the cart is alive, ended once it has expired [ORD-12]': 'HW5023',
  },
  'apply/ledger-move.test.ts': {
    'is not written over another one': 'HW5019',
  },
  'apply/ledger.test.ts': {
    'with a damaged middle is set aside, and apply refuses until it is restored or begun anew': 'HW5001 HW5005',
    'of a newer format, or of another account, is refused and left alone': 'HW5002',
    'forgets, confirms, and says what is not there': 'HW5011',
  },
  'sessions/faults/bad-answers.test.ts': {
    'after action %i of 2: what was done is told, and no bug is claimed': 'HW5006',
  },
  'sessions/commands/init.test.ts': {
    'is begun on the remote; without one nothing is written': 'HW5007',
  },
  'apply/ledger-stores.test.ts': {
    'reports a lock that cannot be released, and keeps what was written': 'HW5013',
  },
  'apply/lock.test.ts': {
    'respects a living owner, says who it is, and takes over from a dead one': 'HW5012',
  },
  'sessions/commands/history.test.ts': {
    'says that a row was changed, or taken out': 'HW5015',
    'edits the value that a run changed, with its comment, and takes out what it added': 'HW5016',
    'HW6748: what was deleted is written back, but for what the history does not keep': 'HW6748',
  },
  'sessions/export/accept.test.ts': {
    'that does not differ is said, and nothing is written': 'HW6101',
    'is what came from standard input, and a file that was changed meanwhile': 'HW6711',
    'are changed in the contact that holds them; who else it is for is said': 'HW6718',
  },
  'sessions/mail/dns-check.test.ts': {
    'MDM-20, GAP-40 = %s: is asked once, and told to be too soon': 'HW6103',
  },
  'sessions/faults/guards.test.ts': {
    'that cannot be read (%o) stop the run before anything is sent; an empty name is none': 'HW6104',
    'count, whatever the branch gave itself; the refusal says what would allow it': 'HW6105',
  },
  'sessions/commands/changed-since.test.ts': {
    'since %s: there is no such commit': 'HW6141',
    'a manifest that said to delete, and did its work, is not missed': 'HW6144',
  },
  'cli/program.test.ts': {
    'runs until it is told to stop': 'HW6510',
    'has no working directory any more: that is said, and nothing is run': 'HW6571',
  },
  'cli/forges.test.ts': {
    'writes on the pull request that it is given, or that the job is about':
      'HW6602 HW6604 HW6605 HW6620 HW6622 HW6623',
    'warns when the token is of another account than is believed': 'HW6606 HW6624',
    'writes an empty set, and says why, when nobody approved': 'HW6608',
  },
  'ci/action.test.ts': {
    'does what the comment approves, and answers': 'HW6607',
  },
  'ci/gitlab.test.ts': {
    'a merge of what nobody reviewed is refused, whatever a note that another changed says; by hand everything runs':
      'HW6625',
  },
  'cli/fleet.test.ts': {
    'are shown, and removed by run, job or machine; another one stays': 'HW6660',
    'is not one whose folder was renamed; a workspace file with another ending is told': 'HW6662 HW6663',
  },
  'sessions/commands/next-steps.test.ts': {
    'files that were exported where no plan reads them are told, with the place where it does': 'HW6670',
  },
  'constructs/with-yaml.test.ts': {
    'reports the line of the program where a command would edit a file that synth wrote': 'HW6728',
  },
  'manifest/unread-files.test.ts': {
    'is reported: %s': 'HW1019',
  },
  'mcp/attempts.test.ts': {
    'was one of more than forty; what may be done is done in the same place': 'HW6729',
  },
  'sessions/commands/trace.test.ts': {
    'HW6740: the hostname of no manifest is found on the account': 'HW6740',
  },
  'cli/agents.test.ts': {
    'keeps a file that it did not write, and follows no link': 'HW6732',
  },
  'sessions/mail/mail-slips.test.ts': {
    'SIGKILL %s: the next run ends it': 'HW5031',
  },
  'sessions/faults/lost-creates.test.ts': {
    'that no manifest declares any more is reported, and neither sent again nor deleted': 'HW5030',
  },
  'sessions/commands/act.test.ts': {
    'rejects %s %s %j': 'HW6580',
  },
  'worker/rows.test.ts': {
    'that are hostile lead to no request, hide no other account, and are named in the log and on the page': 'HW7143',
  },
  'sessions/commands/observed.test.ts': {
    'what cannot be read is named and is no difference, and not named any more when it is read': 'HW2603',
    'what is about a person and what is secret is in no file, and reported until it is declared': 'HW6746',
  },
  'sessions/commands/fleet.test.ts': {
    'a first account that does not end well holds back the others': 'HW6906',
  },
  'terraform/hostile-state.test.ts': {
    'with %s leads to no request that writes, and is named': 'HW7028',
  },
  'terraform/accidents.test.ts': {
    'DOM-15: a hostname moves in one apply, and two resources never have it': 'HW6911',
  },
  'terraform/core.test.ts': {
    'HW6912: is not replaced, tainted or not': 'HW6912',
    'is waited for as long as `timeouts` says, and goes on with the next apply': 'HW6913',
    'DOM-15: hands a hostname over in one step, or not: %s': 'HW6914',
    'is not bought without a ledger, nor beyond the guards': 'HW7001',
    'is destroyed as `deletion` says': 'HW7004',
    'HW7005: is left alone when the live side changed since the plan': 'HW7005',
    'that is live and in no state is not taken over without a word': 'HW7006',
    'reaches the platform, and is in no state, no plan and no message': 'HW7007',
    'whose payment waits outside is in the state at once: %s': 'HW7010',
    'has a word for its destroy, or is refused before anything is planned': 'HW7022',
    'warns about %s in a summary of its own [REG-37]': 'HW7016',
    'HW7027: is never read, planned, destroyed or applied': 'HW7027',
    'HW7025: a secret in two places, or in none, is refused before anything is planned': 'HW7025',
  },
  'terraform/reported.test.ts': {
    'HW7002: is kept, with a warning, while it cannot be read': 'HW7002',
  },
  'terraform/advice.test.ts': {
    '%s: what is advised helps': 'HW7008 HW7011 HW7017 HW7018 HW7019 HW7020',
    'HW7013: with an account and an address in the provider block it is configured': 'HW7013',
  },
  'terraform/blocked.test.ts': {
    'PHP-04: with on_blocked = "warn" the rest is done, and the state never says "ready"': 'HW7009',
    'SIT-11: what a site was ordered with is used once, and another value is an error': 'HW7023',
    'what was bought and is gone is not bought again without a word; all else is planned': 'HW7024',
  },
  'terraform/kills.test.ts': {
    'O-43: $name': 'HW7012',
  },
  'terraform/data.test.ts': {
    'is found by id, by hostname and by name, with its settings': 'HW7014',
    'REG-32: tells what a name costs, and buys nothing': 'HW7021',
  },
  'sessions/commands/notify-state.test.ts': {
    'that the environment does not name costs a warning, and only when there is something to tell': 'HW6523',
    'without a ledger is told by every run, which says so, and once when there is one': 'HW6524',
    'is tried by `ci notify`, which asks the account nothing': 'HW6525',
  },
  'events/command.test.ts': {
    'takes messages until SIGTERM, and hands their runs to a program': 'HW7101 HW7102 HW7104',
  },
  'events/end-to-end.test.ts': {
    'ORD-24: nothing is bought when the secret of the callback is missing, and no secret is written anywhere': 'HW7110',
  },
  'worker/parts.test.ts': {
    'is told before anything is loaded: the version of Node.js first': 'HW7131 HW7133',
  },
  'sessions/faults/forged-bindings.test.ts': {
    'runs under a digest, a saved plan, or an answer: each names the mailbox': 'HW2211',
  },
  'sessions/faults/postgres-ledger.test.ts': {
    'are what `init --ledger postgres` begins, and `doctor` looks at': 'HW7162',
    'are begun for a whole fleet, and shown in one look': 'HW7163 HW7164',
  },
  'worker/queue.test.ts': {
    'runs what was asked for before it was there, one run for all requests of an account, and tells of it':
      'HW7135 HW7137 HW7138',
    'ends when another one is started with its identity': 'HW7142',
  },
  'worker/operate.test.ts': {
    'says what failed and why, and makes nothing where no worker has been': 'HW7139',
    'runs at once what failed and what was given up, for all that was asked for': 'HW7140',
    'forgets what nobody looks after, when somebody agrees, and no run that is under way': 'HW7141',
  },
  'terraform/identity.test.ts': {
    'is an error where the list could not be read, and nothing where the feature is off': 'HW7026',
  },
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
  HW6709: 'whoever mends the bug: what is exported plans to nothing',
  HW6712: 'whoever owns the disk; HW6704 is the same of an export',
  HW6719: 'whoever wrote the manifest: the lines are in Git, and not in the history',
  HW6903: 'whoever mends the bug',
  HW7031: 'another machine than one with Windows',
  HW7132: 'the registry that `npm install` asks',
  HW7134: 'whoever runs the database',
  HW5021: 'the store that could not be read',
  HW7136: 'whoever mends the bug',
  HW7161: 'the registry that `npm install` asks',
};
/** Codes of a plan or a run whose advice nobody follows in a test: a new code comes with a row. */
const NOT_YET = 0;

/** The advice is that nobody has to do anything. */
const isNothing = (code: string): boolean => explained[code]?.fix.startsWith('Nothing has to be done.') === true;

describe('the advice on a code of a plan or a run', () => {
  it('is followed here, or in a test that there is; of the rest there are only ever fewer', () => {
    const tried = Object.entries(TRIED).flatMap(([file, titles]) =>
      Object.entries(titles).map(([title, of]) => ({ file, title, of: of.split(' ') })),
    );
    const known = [...[TRIALS, LINES, OUTSIDE].flatMap(Object.keys), ...tried.flatMap(({ of }) => of)];
    expect(known.filter((code, at) => !(code in explained) || known.indexOf(code) !== at)).toEqual([]);
    for (const { file, title, of } of tried) {
      expect(hasTest(file, title), `${of.join(' ')} ${file}`).toBe(true);
      // The title of a table is that of many codes.
      const text = title.startsWith('%s:') ? readFileSync(join(import.meta.dirname, '../..', file), 'utf8') : '';
      if (text !== '') for (const code of of) expect(text).toContain(code);
    }
    const rest = Object.entries<Entry>(CODES).flatMap(([code, { remedy }]) =>
      known.includes(code) || remedy !== undefined || isNothing(code) ? [] : [code],
    );
    expect(rest.length, rest.join(' ')).toBeLessThanOrEqual(NOT_YET);
  });

  it.each(Object.entries(TRIALS))(
    '%s helps',
    async (code, { scenario, ledger = true, before, after, apply, meanwhile, outside }) => {
      const one = await openHarness({
        ...(ledger && { ledger }),
        ...(scenario !== undefined && { scenario }),
        workspace: workspaceFile(
          'manifests: [sites], ledger: { file: .hostwright/ledger.json }, secrets: { keep: [credentials/] }',
        ),
      });
      const told = async (manifests: Manifests, options?: Partial<ApplyOptions>): Promise<readonly string[]> => {
        await one.write('sites/all.yaml', [...manifests, manifest('SiteProfile', 'filler')].join('\n---\n'));
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

describe('the advice on a code that a command line is told', () => {
  it.each(Object.entries(LINES))('%s helps', async (code, line) => {
    const { of, files, account, first = [], meanwhile, told, follow, then = [told], input } = line;
    const one = await openCommandLine({ ...of, ...(files !== undefined && { files }) });
    account?.(one.sandbox);
    const type = async (words: string, more?: { readonly input: string }) => {
      const { code: ended, all } = await one.run(words, more);
      return { ended, all: `${words}\n${all}` };
    };
    for (const words of first) {
      const { ended, all } = await type(words);
      expect([0, line.code ?? 0], all).toContain(ended);
    }
    await meanwhile?.(one);
    expect((await type(told, input === undefined ? undefined : { input })).all).toContain(code);
    await follow?.(one);
    for (const [index, words] of then.entries()) {
      const { ended, all } = await type(words);
      const isLast = index === then.length - 1;
      expect([isLast ? (line.code ?? 0) : 0, line.code ?? 0], all).toContain(ended);
      if (isLast) expect(all).not.toContain(code);
    }
  });
});
