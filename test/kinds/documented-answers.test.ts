// Laws over the whole registry: each kind takes every error answer that the documents give as the one table says.
import { describe, expect, it } from 'vitest';
import type { AnswerMeaning } from '../../src/apply/answers.ts';
import { judgeAnswer } from '../../src/apply/answers.ts';
import { registry } from '../../src/kinds/index.ts';
import type { DocumentedAnswer } from '../../src/model/documented/answers.ts';
import { documentedAnswer, documentedEndpoint } from '../../src/model/documented/answers.ts';
import type { JsonObject } from '../../src/model/json.ts';
import type { Kind, StepContext } from '../../src/model/kind/kind.ts';
import type { RequestStep, Step } from '../../src/model/plan/step.ts';

const PERSON = {
  firstName: 'Ada',
  lastName: 'Vries',
  organization: '',
  streetAddress: 'Main 1',
  postCode: '1',
  city: 'Amsterdam',
  state: '',
  country: 'NL',
  email: 'ada@a.nl',
  phone: '+31.201234567',
  extraProperties: {},
};
const PRICE = { amountCents: 1200, currency: 'EUR' };
const RULE = { name: 'r', action: { type: 'Redirect' }, triggers: [] };
const CUSTOM = { name: 'r', action: 'block', variable: 'REQUEST_URI', operator: 1, severity: 'critical', value: 'x' };
const LIMIT = {
  name: 'r',
  action: 'block',
  requestCount: 5,
  timeframe: 60,
  blockTime: 60,
  countBy: 'ip',
  conditions: [],
};
const LIST = { name: 'l', type: 'ip', content: ['192.0.2.1'] };

interface Sample {
  readonly desired?: JsonObject;
  readonly observed?: JsonObject;
  readonly computed?: JsonObject;
  readonly price?: typeof PRICE;
}

/** Enough of an object for each kind to build its requests; several where one write has several. */
const SAMPLES: Readonly<Record<string, readonly Sample[]>> = {
  Site: [{ desired: { name: 'Shop', plan: 'pro', order: { variant: 'vanilla', location: 'ams', term: 'monthly' } } }],
  SiteDomain: [{ desired: { hostname: 'a.nl', primary: true } }],
  PhpVersion: [{ desired: { version: '8.3' }, computed: { variants: { '8.3': 3 } } }],
  Caching: [{ desired: { smartCache: true } }],
  CacheLayer: [{ desired: { layer: 'redis', enabled: true } }, { desired: { layer: 'redis', enabled: false } }],
  EdgeRule: [{ desired: { ...RULE, enabled: true } }],
  SiteMail: [{ desired: { fromLocalPart: 'a', fromName: 'A' } }],
  Shield: [
    { desired: { enabled: true, plan: 'advanced', learnOnActivation: true, whitelabelResponsePages: true } },
    { desired: { enabled: false, plan: 'basic' }, observed: { enabled: true, plan: 'advanced' } },
  ],
  ShieldWaf: [{ desired: { enabled: true, executionMode: 'block', disabledRules: [], logOnlyRules: [] } }],
  ShieldDdos: [{ desired: { sensitivity: 1, executionMode: 1, challengeWindow: 3600 } }],
  ShieldBotDetection: [{ desired: { executionMode: 1 } }],
  ShieldCustomRule: [{ desired: CUSTOM }],
  ShieldRateLimit: [{ desired: LIMIT }],
  ShieldAccessList: [{ desired: LIST }],
  Backup: [{}],
  CachePurge: [{}],
  Mailspace: [{ desired: { domain: 'a.nl', package: 'mail_5' } }],
  MailDomain: [{ desired: { name: 'b.nl', description: 'B' } }],
  Mailbox: [
    {
      desired: {
        address: 'a@a.nl',
        displayName: 'A',
        status: 'active',
        allowedIps: [],
        password: { $secret: { env: 'P' } },
      },
      observed: { address: 'a@a.nl', status: 'suspended' },
    },
  ],
  MailGroup: [
    {
      desired: { email: 'g@a.nl', name: 'G', members: ['a@a.nl'] },
      computed: { memberships: { 'a@a.nl': ['g@a.nl'] } },
    },
  ],
  MailAlias: [{ desired: { address: 'i@a.nl', target: 'a@a.nl' } }],
  DomainRegistration: [
    { desired: { name: 'a.nl', order: {}, contacts: { owner: PERSON }, autoRenew: true }, price: PRICE },
  ],
  RegistrationHost: [{ desired: { hostName: 'ns1.a.nl', addresses: ['192.0.2.1'] }, computed: { locked: true } }],
  RegistrationNameservers: [{ desired: { nameservers: ['ns1.a.nl'] }, computed: { locked: true } }],
  RegistrationDnssec: [
    { desired: { enabled: true, keys: [], rotate: '1' } },
    { desired: { enabled: false }, computed: { locked: true } },
  ],
  RegistrationOwner: [
    { desired: PERSON, observed: PERSON },
    {
      desired: PERSON,
      observed: PERSON,
      computed: { locked: true, fees: { registrant_change: { amount_cents: 900, currency: 'EUR' } } },
    },
  ],
  RegistrationContacts: [{ desired: { admin: PERSON, owner: PERSON }, computed: { locked: true } }],
  RegistrationPrivacy: [{ desired: { privacyProtect: true }, computed: { locked: true } }],
  RegistrationLock: [{ desired: { locked: true } }],
  PanelAccount: [{ desired: { package: 'pro', order: { term: 'annual', domain: 'a.nl' } } }],
  User: [{ desired: { email: 'a@a.nl', fname: 'A', lname: 'B', credentialsTo: { file: 'a.json' } } }],
};

/** Every write that a kind has, with the requests that it makes. */
function writesOf(kind: Kind): readonly (readonly [name: string, steps: readonly RequestStep[]])[] {
  const self = kind.parent === null ? `${kind.kind}/x` : `${kind.parent}/x/${kind.kind}/y`;
  const parent = kind.parent === null ? self : `${kind.parent}/x`;
  const everyField: Sample = { desired: Object.fromEntries(Object.keys(kind.fields).map((field) => [field, true])) };
  const contexts = (SAMPLES[kind.kind] ?? [everyField]).map(
    ({ desired = {}, observed, computed = {}, price }): StepContext<JsonObject> => ({
      self,
      parent,
      desired,
      observed: observed ?? null,
      computed,
      changed: Object.keys(desired),
      writing: Object.keys(desired),
      ...(price !== undefined && { price }),
    }),
  );
  const all = (name: string, steps: (context: StepContext<JsonObject>) => readonly Step[]) =>
    [`${kind.kind} ${name}`, contexts.flatMap(steps).filter((step) => step.do === 'request')] as const;
  const {
    create,
    update,
    remove,
    capabilities: { move, hook },
  } = kind;
  return [
    ...(create === undefined ? [] : [all('create', (context) => create.steps({ ...context, observed: null }))]),
    ...Object.entries(update).map(([name, write]) =>
      // What is personal is written by one of two updates, whichever has something to say.
      all(name, (context) =>
        write.steps({
          ...context,
          changed: context.changed.filter((field) => write.writes.includes(field)),
          writing: write.writes,
        }),
      ),
    ),
    ...(remove === undefined ? [] : [all('remove', (context) => remove.steps(context))]),
    ...(move === undefined ? [] : [all('move', () => move.steps({ self, parent, identity: 'y', to: 'Site/z' }))]),
    ...(hook === undefined
      ? []
      : [
          all('hook', () =>
            hook.steps({
              self,
              parent,
              members: [{ id: '7', identity: 'content', spec: { label: 'content' }, computed: {}, keys: [] }],
            }),
          ),
        ]),
  ];
}

const writes = [...registry.values()].flatMap(writesOf);
const requests = writes.flatMap(([name, steps]) => steps.map((step) => ({ name: `${name}: ${step.name}`, step })));

function pathOf({ path }: RequestStep): string {
  return path.map((part) => (typeof part === 'string' ? part : ':')).join('');
}

/** What counts of the documented answers of a step's endpoint: of two for one status and code the first. */
function documentedFor(step: RequestStep): readonly DocumentedAnswer[] {
  const { answers = [] } = documentedEndpoint(step.method, pathOf(step)) ?? {};
  return answers.filter((answer) => documentedAnswer(step.method, pathOf(step), answer.status, answer.code) === answer);
}

function meaningOf(step: RequestStep, status: number, code: string | null): AnswerMeaning {
  return judgeAnswer(step, { status, code, messages: [], extra: {}, body: { code } });
}

function agrees(meaning: AnswerMeaning, { means }: DocumentedAnswer, step: RequestStep): boolean {
  switch (means) {
    case 'failed':
      return meaning.result === 'failed';
    case 'blocked':
      return meaning.result === 'blocked';
    case 'retry':
      return meaning.result === (!step.idempotent && step.recovery?.ifNotFound !== 'send-again' ? 'blocked' : 'again');
    case 'done':
      return meaning.result === 'taken' && meaning.then !== 'waiting' && meaning.then !== 'look-up';
    case 'unclear':
      return (
        meaning.result === 'unclear' ||
        (meaning.result === 'taken' && (meaning.then === 'look-up' || meaning.then === 'wait-for'))
      );
  }
}

describe('every write of every kind', () => {
  it('is looked at here', () => {
    expect(writes.filter(([, steps]) => steps.length === 0).map(([name]) => name)).toEqual([]);
    expect(requests.length).toBeGreaterThan(60);
  });

  it('goes to an endpoint that the documents have', () => {
    expect(
      requests
        .filter(({ name }) => Object.hasOwn(SAMPLES, name.split(' ')[0] as string))
        .filter(({ step }) => documentedEndpoint(step.method, pathOf(step)) === undefined)
        .map(({ name }) => name),
    ).toEqual([]);
  });

  it.each(requests)('$name takes every documented answer as the table says', ({ step }) => {
    const wrong = documentedFor(step).flatMap((answer) => {
      const meaning = meaningOf(step, answer.status, answer.code);
      return agrees(meaning, answer, step)
        ? []
        : [`${answer.status} ${answer.code} (${answer.means}) is taken as ${meaning.result}`];
    });
    expect(wrong).toEqual([]);
  });

  it.each(requests)('$name has no row that only repeats the table', ({ step }) => {
    const bare = { ...step, answers: [] };
    const repeated = step.answers.filter(({ status, code, capture, waitFor, then }) => {
      if (
        typeof status !== 'number' ||
        status < 400 ||
        code === undefined ||
        capture !== undefined ||
        waitFor !== undefined
      )
        return false;
      const table = documentedAnswer(step.method, pathOf(step), status, code);
      if (table?.code !== code || then === 'look-up' || then === 'pending-external') return false;
      return meaningOf(bare, status, code).result === meaningOf(step, status, code).result;
    });
    expect(repeated.map(({ status, code }) => `${status} ${code}`)).toEqual([]);
  });

  it('RTY-07: no documented refusal of a request that is sent once leaves its outcome unknown', () => {
    const unknown = requests
      .filter(({ step }) => !step.idempotent)
      .flatMap(({ name, step }) =>
        documentedFor(step)
          .filter(
            ({ means, status, code }) =>
              ['failed', 'blocked', 'retry'].includes(means) && meaningOf(step, status, code).result === 'unclear',
          )
          .map(({ status, code }) => `${name}: ${status} ${code}`),
      );
    expect(unknown).toEqual([]);
  });
});
