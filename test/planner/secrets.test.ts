// Secrets of a live object: when one is written, and that nothing of it but its place and its mark is ever in a plan.
import { describe, expect, it } from 'vitest';
import type { CollectionPlan } from '../../src/planner/collections/collection-plan.ts';
import { planCollection } from '../support/planned.ts';
import type { JsonObject } from '../../src/model/json.ts';
import type { RequestStep } from '../../src/model/plan/step.ts';
import type { RotationTokens } from '../../src/model/secret.ts';
import {
  rotationTokensIn,
  rotationTokensOnceKnown,
  placeOfSecret,
  secretSourceOf,
  secretsOf,
} from '../../src/model/secret.ts';
import { ledgerOf, live, wantMembers } from '../support/desired.ts';
import { vault } from '../support/toy-kinds.ts';

const password = { env: 'ALICE_PASSWORD', rotate: '2' };

function plan(wanted: JsonObject, there: JsonObject | null, rotated?: RotationTokens, id = 'id-1'): CollectionPlan {
  const recorded = ledgerOf({ address: 'Box/1/Vault/a', id, ...(rotated !== undefined && { rotated }) }).objects;
  return planCollection({
    kind: vault,
    owned: new Set(),
    declared: wantMembers(vault, 'Box/1', [{ name: 'a', ...wanted }]),
    observed: there === null ? live(vault) : live(vault, { name: 'a', ...there }),
    recorded,
  });
}

const bodies = ({ actions }: CollectionPlan) =>
  actions.flatMap(({ steps }) => steps.map((step) => [step.name, (step as RequestStep).body]));

describe('a secret', () => {
  it('is written at creation, as a reference in the body and as a place in the changes', () => {
    const made = plan({ password, code: { file: 'secrets/code' }, pin: { env: 'PIN' } }, null);
    expect(made.actions[0]?.changes).toEqual([
      { op: 'add', path: '/name', value: 'a' },
      { op: 'add', path: '/password', secret: { env: 'ALICE_PASSWORD' }, value: '2' },
      { op: 'add', path: '/pin', secret: { env: 'PIN' } },
      { op: 'add', path: '/code', secret: { file: 'secrets/code' } },
    ]);
    expect(bodies(made)).toEqual([
      [
        'create',
        { name: 'a', password: { $secret: { env: 'ALICE_PASSWORD' } }, code: { $secret: { file: 'secrets/code' } } },
      ],
      ['pin', { pin: { $secret: { env: 'PIN' } } }],
    ]);
  });

  it('is written again when its mark is another than the recorded one, without any expectation about it', () => {
    const again = plan({ password }, {}, { password: '1' });
    expect(again.actions[0]).toMatchObject({
      verb: 'update',
      reason: 'password is to be written again: its rotate mark differs',
      changes: [{ op: 'replace', path: '/password', secret: { env: 'ALICE_PASSWORD' }, was: '1', value: '2' }],
    });
    expect(again.actions[0]?.expect).toEqual({ exists: true, tests: [] });
    expect(bodies(again)).toEqual([['secure', { password: { $secret: { env: 'ALICE_PASSWORD' } } }]]);
    expect(plan({ password }, { password: 'told by mistake' }, { password: '1' }).actions[0]?.expect.tests).toEqual([]);
    expect(plan({ password }, {}, { password: '1' }).actions[0]?.digest).toBe(again.actions[0]?.digest);
    expect(plan({ password }, {}, { password: null }).actions[0]?.changes).toEqual([
      { op: 'replace', path: '/password', secret: { env: 'ALICE_PASSWORD' }, value: '2' },
    ]);
  });

  it('is left alone when its mark is the recorded one, or is not declared, wherever it comes from', () => {
    expect(plan({ password }, {}, { password: '2' })).toMatchObject({ actions: [], unchanged: 1, diagnostics: [] });
    expect(plan({ password: { env: 'ALICE_PASSWORD' } }, {}, { password: '2' })).toMatchObject({
      actions: [],
      diagnostics: [],
    });
    expect(plan({ password: { env: 'OTHER' } }, {}, { password: null })).toMatchObject({
      actions: [],
      diagnostics: [],
    });
    expect(plan({ password: { env: 'ALICE_PASSWORD' } }, {})).toMatchObject({ actions: [], diagnostics: [] });
    expect(plan({}, {}, { password: '1' })).toMatchObject({ actions: [], diagnostics: [] });
  });

  it('is not overwritten because nobody recorded its mark; the plan says so', () => {
    const unknown = plan({ password }, {});
    expect(unknown).toMatchObject({
      actions: [],
      unchanged: 1,
      diagnostics: [
        { code: 'HW2008', severity: 'warning', address: 'Box/1/Vault/a', source: { file: 'main.yaml', line: 10 } },
      ],
    });
    // What was written to another object that once had this address says nothing of this one.
    expect(plan({ password }, {}, { password: '1' }, 'id-of-another')).toMatchObject({
      actions: [],
      diagnostics: [{ code: 'HW2008' }],
    });
    expect(plan({ password, size: 2 }, { size: 1 })).toMatchObject({
      actions: [{ reason: 'size differs' }],
      diagnostics: [{ code: 'HW2008' }],
    });
  });

  it('has no place to point at where the manifest gives none', () => {
    const declared = wantMembers(vault, 'Box/1', [{ name: 'a', password }]);
    const nowhere = {
      ...declared,
      members: declared.members.map((desired) => ({ ...desired, sourceOf: () => undefined })),
    };
    expect(
      planCollection({ kind: vault, owned: new Set(), declared: nowhere, observed: live(vault, { name: 'a' }) })
        .diagnostics[0],
    ).not.toHaveProperty('source');
  });

  it('that a create left unwritten is written by the next plan', () => {
    const rest = plan({ password, pin: { env: 'PIN' }, size: 2 }, { size: 1 }, { password: '1', pin: false });
    expect(rest.actions[0]?.reason).toBe(
      'size differs; password is to be written again: its rotate mark differs; pin was never written',
    );
    expect(rest.actions[0]?.changes).toContainEqual({ op: 'add', path: '/pin', secret: { env: 'PIN' } });
    expect(
      plan({ password: { env: 'A' }, pin: { env: 'P' } }, {}, { password: false, pin: false }).actions[0]?.reason,
    ).toBe('password, pin were never written');
    expect(plan({ password, pin: { env: 'P', rotate: 'x' } }, {}, { password: '1', pin: '1' }).actions[0]?.reason).toBe(
      'password, pin are to be written again: their rotate marks differ',
    );
  });

  it('never goes along with the update of another field', () => {
    expect(bodies(plan({ password, size: 2 }, { size: 1 }, { password: '2' }))).toEqual([
      ['resize', { name: 'a', size: 2 }],
    ]);
  });

  it('that no update writes is written at creation alone', () => {
    expect(plan({ code: { env: 'CODE', rotate: '2' } }, {}, { code: '1' })).toMatchObject({
      actions: [],
      unchanged: 1,
    });
  });

  it('that stands in a manifest itself makes no plan', () => {
    expect(() => plan({ password: 'hunter2!' }, null)).toThrow('not the place of a secret');
  });

  it('can be refused like any other change', () => {
    const declared = wantMembers(vault, 'Box/1', [{ name: 'sealed', pin: { env: 'PIN', rotate: '2' } }]);
    const recorded = ledgerOf({ address: 'Box/1/Vault/sealed', rotated: { pin: '1' } }).objects;
    expect(
      planCollection({ kind: vault, owned: new Set(), declared, observed: live(vault, { name: 'sealed' }), recorded }),
    ).toMatchObject({ actions: [], blocked: [{ rule: 'TOY-06' }] });
  });
});

describe('the source of a secret', () => {
  it('names one place', () => {
    expect(secretSourceOf({ env: 'A', rotate: '1' })).toEqual({ env: 'A', rotate: '1' });
    expect(
      ['text', null, 3, [], {}, { env: 'A', file: 'b' }, { env: 1 }].map((value) => secretSourceOf(value as never)),
    ).toEqual(Array(7).fill(undefined));
    expect(placeOfSecret({ file: 'a', rotate: '1' })).toEqual({ file: 'a' });
    expect(secretsOf(vault, { name: { env: 'A' }, password })).toEqual([{ field: 'password', source: password }]);
  });

  it('begins with the mark of today where none is recorded', () => {
    const rotationTokens = rotationTokensIn(vault, { password, pin: { env: 'PIN' } });
    expect(rotationTokensOnceKnown(rotationTokens)).toEqual({ password: '2', pin: null });
    expect(rotationTokensOnceKnown(rotationTokens, { password: '1', pin: false })).toEqual({
      password: '1',
      pin: false,
    });
  });
});
