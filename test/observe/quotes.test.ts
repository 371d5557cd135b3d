// What is asked about objects that are about to be made: one question each, and an answer that cannot be had is
// unknown, never a no.
import { describe, expect, it } from 'vitest';
import { planMember } from '../support/planned.ts';
import { domainRegistration } from '../../src/areas/registration/kinds/registration/index.ts';
import { site } from '../../src/areas/site/kinds/site/index.ts';
import type { Json } from '../../src/model/json.ts';
import { askQuotes } from '../../src/observe/quotes.ts';
import { ApiError } from '../../src/platform/api-error.ts';
import type { ApiErrorKind } from '../../src/platform/api-error.ts';
import { wantRoot } from '../support/desired.ts';
import { documentedError } from '../support/documented-error.ts';
import { containing } from '../support/matchers.ts';

const failure = (kind: ApiErrorKind, status: number, code: string | null): ApiError =>
  new ApiError({
    kind,
    message: `answered ${status}`,
    status,
    code,
    messages: [],
    extra: {},
    sent: 'answered',
    attempts: 1,
  });
const free = (domain: string): Json => ({
  domain,
  available: true,
  premium: false,
  owned_by_account: false,
  reason: null,
  price: { amount_cents: 1200, currency: 'EUR' },
  transfer_price: null,
});
const wanted = (...names: readonly string[]) =>
  names.map((name) => wantRoot(domainRegistration, name, { name, order: {}, contacts: { owner: {} } }));

function asking(answers: Readonly<Record<string, Json | Error>>) {
  return {
    ask: (path: string, body: Json): Promise<Json> => {
      const answer = answers[(body as { domain: string }).domain];
      if (answer instanceof ApiError) return Promise.reject(documentedError('POST', path, answer));
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? null);
    },
  };
}

describe('askQuotes', () => {
  it('asks about each, and takes each answer by itself', async () => {
    const client = asking({
      'a.com': free('a.com'),
      'b.zz': failure('unavailable', 503, 'registrar_unavailable'),
      'c.com': failure('unavailable', 502, 'request_failed'),
      'd.com': failure('unavailable', 503, 'other'),
      'e.com': { domain: 'e.com' },
    });
    expect(
      await askQuotes(domainRegistration, wanted('a.com', 'b.zz', 'c.com', 'd.com', 'e.com'), client),
    ).toMatchObject({
      'a.com': { price: { amountCents: 1200, currency: 'EUR' } },
      'b.zz': { blocker: { rule: 'REG-34' } },
      'c.com': { blocker: { rule: 'ORD-38', as: 'unknown' } },
      'd.com': { blocker: { rule: 'REG-32', as: 'unknown', reason: 'answered 503' } },
      'e.com': { blocker: { as: 'unknown', reason: containing('not what the documents say') } },
    });
  });

  it('says of a refused credential that it is one, and hides no bug', async () => {
    await expect(
      askQuotes(domainRegistration, wanted('a.com'), asking({ 'a.com': failure('unauthorised', 401, null) })),
    ).rejects.toBeInstanceOf(ApiError);
    await expect(
      askQuotes(domainRegistration, wanted('a.com'), asking({ 'a.com': new TypeError('a bug') })),
    ).rejects.toBeInstanceOf(TypeError);
  });

  it('asks nothing of kinds that have no question, nor where nobody is to be asked', async () => {
    expect(await askQuotes(site, [], asking({}))).toBeUndefined();
    expect(await askQuotes(domainRegistration, wanted('a.com'), {})).toBeUndefined();
  });
});

describe('a plan', () => {
  const plan = (quotes?: Parameters<typeof planMember>[1]['quotes']) =>
    planMember(
      domainRegistration,
      { state: 'read', members: [], blockers: {}, ...(quotes !== undefined && { quotes }) },
      wantRoot(domainRegistration, 'a.com', { name: 'a.com', order: {}, contacts: { owner: { firstName: 'Ada' } } }),
      undefined,
    );

  it('makes only what was asked about, and with its price', () => {
    expect(plan({ 'a.com': { price: { amountCents: 7, currency: 'EUR' } } }).actions).toMatchObject([
      { verb: 'create', cost: { amountCents: 7, currency: 'EUR' } },
    ]);
    expect(plan({ 'a.com': { blocker: { reason: 'no', remedy: 'nothing', rule: 'X' } } })).toMatchObject({
      actions: [],
      blocked: [{ rule: 'X' }],
    });
    expect([plan({}), plan()]).toMatchObject([
      { actions: [], blocked: [] },
      { actions: [], blocked: [] },
    ]);
  });
});
