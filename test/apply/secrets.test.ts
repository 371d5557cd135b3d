// Secrets from plan to platform and back: written once for a mark, remembered by the mark, and never told by anything
// that comes out.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runPlan } from '../../src/apply/interpreter.ts';
import type { RunResult } from '../../src/apply/run-actions.ts';
import { entriesOf, replay } from '../../src/ledger/state.ts';
import { resumeInFlight } from '../../src/apply/resume.ts';
import { makePlan } from '../../src/planner/plan.ts';
import type { JsonObject } from '../../src/model/json.ts';
import type { Kind, Registry } from '../../src/model/kind/kind.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { createObserver } from '../../src/observe/observer.ts';
import { createClient } from '../../src/platform/http.ts';
import { createRedactor } from '../../src/platform/redact.ts';
import { renderPlanJson } from '../../src/report/json/index.ts';
import { recordLive } from '../../src/usecases/plan/bindings.ts';
import { readAccount } from '../../src/usecases/plan/read-account.ts';
import { wantMembers, wantRoot, wantRoots } from '../support/desired.ts';
import { box, vault } from '../support/toy-kinds.ts';
import type { Fate, Stage } from './support.ts';
import { memoryLedger, stage, writesOf } from './support.ts';
import { outcomeText, planText } from '../support/reports.ts';

const registry: Registry = new Map<string, Kind>([
  ['Box', box],
  ['Vault', vault],
]);
const ALICE = { env: 'ALICE_PASSWORD' };

/** The parts of a use case over toy kinds: read, plan, run, record. */
function stageOf(secret = 'hunter2!') {
  const own = stage();
  own.platform.answers.set('/api/boxes', () => ({ status: 200, body: { boxes: [{ id: 'box-1', name: 'shop' }] } }));
  const redactor = createRedactor();
  const client = createClient({
    baseUrl: 'https://platform.example.net',
    token: 'tok-secret',
    account: 'acc',
    clock: own.clock,
    concurrency: 8,
    timeoutMs: 20_000,
    random: () => 0,
    transport: own.platform.transport,
    redactor,
    emit: (event) => own.events.push(event),
  });
  const observe = createObserver(registry, client, 'acc');
  const base = { client, redactor, observe, observeAfter: observe, resolveSecret: () => secret };
  const declaredOf = (vaults: readonly JsonObject[]) => [
    wantRoots(box, [wantRoot(box, 'shop', { name: 'shop' }, { keys: [['shop']] })]),
    wantMembers(vault, 'Box/shop', vaults),
  ];
  const look = (vaults: readonly JsonObject[]) =>
    readAccount({
      client,
      account: 'acc',
      registry,
      declared: declaredOf(vaults),
      ledger: own.ledger.view(),
      emit: () => undefined,
      concurrency: 4,
    });
  const plan = async (vaults: readonly JsonObject[]): Promise<Plan> => {
    const { observed, bound } = await look(vaults);
    const made = makePlan({
      account: 'acc',
      registry,
      declared: declaredOf(vaults),
      observed,
      bound,
      ledger: own.ledger.view(),
      targets: [],
      notices: [],
    });
    if (made.plan === undefined) throw new Error(JSON.stringify(made.diagnostics));
    return made.plan;
  };
  const apply = async (vaults: readonly JsonObject[]): Promise<RunResult & { readonly plan: Plan }> => {
    const made = await plan(vaults);
    const before = await look(vaults);
    const result = await runPlan({ ...own.run(made.actions), ...base, plan: made });
    await recordLive(own.ledger, declaredOf(vaults), [before, await look(vaults)], registry, 0);
    return { ...result, plan: made };
  };
  const resume = () => {
    return resumeInFlight({ ...own.resume(), ...base });
  };
  return { own, plan, apply, resume, base };
}

const rotationTokens = (own: Stage) => own.ledger.view().objects.get('Box/shop/Vault/a')?.rotated;
const secure = (own: Stage) => writesOf(own.platform).filter((write) => write.startsWith('PATCH'));

describe('a secret', () => {
  it('is sent at creation, and again only when its mark changes', async () => {
    const { own, apply, plan } = stageOf();
    expect(await apply([{ name: 'a', password: { ...ALICE, rotate: '1' } }])).toMatchObject({ words: ['done'] });
    expect(own.platform.rows).toMatchObject([{ name: 'a', password: 'hunter2!' }]);
    expect(rotationTokens(own)).toEqual({ password: '1' });
    expect((await plan([{ name: 'a', password: { ...ALICE, rotate: '1' } }])).actions).toEqual([]);
    expect(await apply([{ name: 'a', password: { ...ALICE, rotate: '2' } }])).toMatchObject({
      words: ['done'],
      plan: { actions: [{ verb: 'update' }] },
    });
    expect(secure(own)).toEqual(['PATCH /api/things/id-1']);
    expect(rotationTokens(own)).toEqual({ password: '2' });
    expect(await apply([{ name: 'a', password: { ...ALICE, rotate: '2' } }])).toMatchObject({
      words: ['done'],
      plan: { actions: [], notices: [] },
    });
    // A mark that is taken away asks for nothing, and is remembered.
    expect((await apply([{ name: 'a', password: ALICE }])).plan.actions).toEqual([]);
    expect(rotationTokens(own)).toEqual({ password: '2' });
    expect(own.ledger.view().objects.get('Box/shop/Vault/a')?.applied).toEqual({ name: 'a' });
  });

  it('of an object that was adopted is not overwritten: its mark is recorded, and the next one is written', async () => {
    const { own, apply, plan } = stageOf();
    own.platform.rows.push({ id: 'id-old', name: 'a' });
    const imported = [{ name: 'a', password: { ...ALICE, rotate: '1' } }];
    expect((await apply(imported)).plan).toMatchObject({ actions: [], notices: [{ code: 'HW2008' }] });
    expect(rotationTokens(own)).toEqual({ password: '1' });
    expect(await plan(imported)).toMatchObject({ actions: [], notices: [] });
    expect(writesOf(own.platform)).toEqual([]);
    expect((await plan([{ name: 'a', password: { ...ALICE, rotate: '2' } }])).actions).toHaveLength(1);
    expect((await apply([{ name: 'a', password: { ...ALICE, rotate: '2' }, pin: { env: 'PIN' } }])).words).toEqual([
      'done',
    ]);
    expect(rotationTokens(own)).toEqual({ password: '2', pin: null });
    expect((await plan([{ name: 'a', pin: { env: 'PIN', rotate: 'now' } }])).actions).toMatchObject([
      { changes: [{ op: 'replace', path: '/pin', value: 'now' }] },
    ]);
  });

  it('that a failed create did not come to is written by the next run; one that it wrote is not written again', async () => {
    const { own, apply } = stageOf();
    const wanted = [{ name: 'a', password: ALICE, pin: { env: 'PIN' } }];
    own.platform.fates.push({ done: true, answer: undefined as never }, { done: false, answer: { status: 422 } });
    expect((await apply(wanted)).words).toEqual(['error']);
    expect(rotationTokens(own)).toEqual({ password: null, pin: false });
    expect((await apply(wanted)).plan.actions).toMatchObject([
      { verb: 'update', reason: 'pin was never written', changes: [{ op: 'add', path: '/pin' }] },
    ]);
    expect(own.platform.rows).toMatchObject([{ pin: 'hunter2!' }]);
    expect(rotationTokens(own)).toEqual({ password: null, pin: null });
    expect((await apply(wanted)).plan.actions).toEqual([]);
  });

  it('of an update that failed later on keeps what was written', async () => {
    const { own, apply } = stageOf();
    await apply([{ name: 'a', password: ALICE, pin: { env: 'PIN' } }]);
    const wanted = [{ name: 'a', password: { ...ALICE, rotate: '1' }, pin: { env: 'PIN', rotate: '1' } }];
    own.platform.fates.push({ done: true, answer: undefined as never }, { done: false, answer: { status: 422 } });
    expect((await apply(wanted)).words).toEqual(['error']);
    expect(rotationTokens(own)).toEqual({ password: '1', pin: null });
    expect((await apply(wanted)).plan.actions).toMatchObject([{ changes: [{ path: '/pin' }] }]);
  });

  it.each([true, false])(
    'whose request (idempotent: %s) was sent and never answered is written again on resume only if that does no harm',
    async (idempotent) => {
      const { own, apply, plan, resume, base } = stageOf();
      await apply([{ name: 'a', password: ALICE }]);
      const made = await plan([{ name: 'a', password: { ...ALICE, rotate: '1' } }]);
      const actions = made.actions.map((action) => ({
        ...action,
        steps: action.steps.map((step) => ({ ...step, idempotent }) as typeof step),
      }));
      own.ledger.onAppend = (entry) => {
        if (entry.type === 'answered') throw new Error('killed');
      };
      await expect(runPlan({ ...own.run(actions), ...base, plan: { ...made, actions } })).rejects.toThrow('killed');
      own.ledger = memoryLedger(own.clock, own.ledger.lines);
      expect(await resume()).toMatchObject({ actions: [{ result: idempotent ? 'done' : 'unknown-outcome' }] });
      expect(secure(own)).toHaveLength(idempotent ? 2 : 1);
      expect(rotationTokens(own)).toEqual({ password: idempotent ? '1' : null });
    },
  );

  it('that is not there refuses the run before anything is sent, and an answered request asks for none', async () => {
    const { own, plan, base } = stageOf();
    const made = await plan([{ name: 'a', password: ALICE }]);
    const refused = await runPlan({
      ...own.run(made.actions),
      ...base,
      plan: made,
      resolveSecret: () => ({ reason: 'is larger than 64 KiB' }),
    });
    expect(refused).toMatchObject({
      words: ['error'],
      diagnostics: [
        { code: 'HW4007', detail: 'The environment variable ALICE_PASSWORD is larger than 64 KiB. Nothing was sent.' },
      ],
    });
    expect(writesOf(own.platform)).toEqual([]);
    own.ledger.onAppend = (entry) => {
      if (entry.type === 'succeeded') throw new Error('killed');
    };
    await expect(runPlan({ ...own.run(made.actions), ...base, plan: made })).rejects.toThrow('killed');
    own.ledger = memoryLedger(own.clock, own.ledger.lines);
    expect(await resumeInFlight({ ...own.resume(), ...base, resolveSecret: () => undefined })).toMatchObject({
      words: ['done'],
    });
  });
});

describe('the ledger', () => {
  it('keeps marks over compaction, and reads an older one without them', async () => {
    const { own, apply } = stageOf();
    await apply([{ name: 'a', password: { ...ALICE, rotate: '1' } }]);
    const view = own.ledger.view();
    const header = { account: 'acc', standing: 'complete', after: 0 } as const;
    const lines = entriesOf(view).map(({ entry }, index) => ({ n: index + 1, atMs: 0, entry }));
    expect(replay(header, lines).objects).toEqual(view.objects);
    const bound = { type: 'bound', address: 'Thing/a', id: '1', owned: true, applied: {} } as const;
    expect(replay(header, [{ n: 1, atMs: 0, entry: bound }]).objects.get('Thing/a')).toEqual({
      address: 'Thing/a',
      id: '1',
      owned: true,
      applied: {},
      appliedAtMs: 0,
      outputs: {},
    });
    const marked = { ...bound, rotated: { password: '1' } };
    const after = (entry: typeof bound) =>
      replay(header, [
        { n: 1, atMs: 0, entry: marked },
        { n: 2, atMs: 0, entry },
      ]).objects.get('Thing/a')?.rotated;
    expect(after(bound)).toEqual({ password: '1' });
    expect(after({ ...bound, id: '2' as '1' })).toBeUndefined();
  });
});

describe('no byte of a secret', () => {
  it('is in anything that comes out, whatever the platform sends back', async () => {
    const secretText = fc
      .string({ minLength: 6, maxLength: 40, unit: 'binary' })
      .filter((text) => text.trim().length > 5 && !/^[\w./ -]+$/.test(text));
    const fate = (secret: string): fc.Arbitrary<Fate> =>
      fc.oneof(
        fc.constantFrom<Fate>({ done: true, answer: undefined as never }, { done: true, answer: 'none' }),
        fc.record({
          done: fc.boolean(),
          answer: fc.record({
            status: fc.constantFrom(200, 400, 401, 409, 422, 429, 500, 503),
            body: fc.constantFrom(
              { message: `bad password ${secret}` },
              { errors: [secret], given: { [secret]: secret } },
              `<html>${secret}</html>`,
              { error: encodeURIComponent(secret) },
            ),
          }),
        }),
      );
    await fc.assert(
      fc.asyncProperty(
        secretText.chain((secret) => fc.tuple(fc.constant(secret), fc.array(fate(secret), { maxLength: 6 }))),
        async ([secret, fates]) => {
          const { own, apply, resume, plan } = stageOf(secret);
          own.platform.fates.push(...fates);
          const first = await apply([{ name: 'a', password: { ...ALICE, rotate: '1' }, pin: { file: 'secrets/pin' } }]);
          const resumed = await resume();
          const next = await plan([{ name: 'a', password: { ...ALICE, rotate: '2' } }]);
          const outcome = {
            format: 'hostwright.outcome/1',
            outcome: 'done',
            exitCode: 0,
            account: 'acc',
            planDigest: '',
            remaining: [],
            requests: { reads: 0, writes: 0 },
            ...first,
          } as const;
          const shown = [first.plan, next].flatMap((one) => [
            planText(one, { verbose: true }),
            renderPlanJson(one, { outcome: 'done', diagnostics: [] }),
          ]);
          const texts = [
            JSON.stringify([first, resumed, own.ledger.lines, own.events]),
            ...shown,
            outcomeText(outcome),
          ];
          for (const spelling of [
            secret,
            JSON.stringify(secret).slice(1, -1),
            JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
            encodeURIComponent(secret),
          ]) {
            for (const text of texts) expect(text.includes(spelling), `${spelling} in ${text}`).toBe(false);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
