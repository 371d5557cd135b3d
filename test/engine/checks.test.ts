import { describe, expect, it } from 'vitest';
import { checkCredential } from '../../src/engine/checks/credential.ts';
import { checkGuards } from '../../src/engine/checks/guards.ts';
import type { Action, Plan } from '../../src/model/plan.ts';

function plan(...actions: readonly Partial<Action>[]): Plan {
  return { actions: actions.map((action) => ({ address: 'Site/a', verb: 'update', risk: [], protected: false, requires: { userCredential: false, scopes: [], roles: [] }, ...action })) } as unknown as Plan;
}

describe('checkGuards', () => {
  it('lets through what stays under the ceilings', () => {
    expect(checkGuards(plan({}, { verb: 'delete', risk: ['delete'] }), { allowDeletes: 1 })).toEqual([]);
  });

  it('refuses more deletes than allowed and says what would allow them', () => {
    const [refusal] = checkGuards(plan({ verb: 'delete', address: 'Site/a/SiteDomain/x.nl' }, { verb: 'delete', address: 'Site/a/SiteDomain/y.nl' }), { allowDeletes: 1 });
    expect(refusal).toMatchObject({ code: 'HW2202' });
    expect(refusal?.detail).toContain('--allow-deletes 2');
    expect(refusal?.detail).toContain('Site/a/SiteDomain/y.nl');
  });

  it('refuses to delete or charge for what is protected, and nothing else', () => {
    const codes = (action: Partial<Action>) => checkGuards(plan({ protected: true, ...action }), { allowDeletes: 9 }).map(({ code }) => code);
    expect(codes({ verb: 'delete', risk: ['delete'] })).toEqual(['HW2201']);
    expect(codes({ verb: 'create', risk: ['charge'] })).toEqual(['HW2201']);
    expect(codes({ verb: 'update', risk: ['restart'] })).toEqual([]);
    expect(checkGuards(plan({ verb: 'delete', risk: ['delete'] }), { allowDeletes: 9 })).toEqual([]);
  });
});

describe('checkCredential', () => {
  const caching = plan({ requires: { userCredential: false, scopes: ['sites:write', 'sites:read'], roles: [] } });
  const order = plan({ requires: { userCredential: true, scopes: [], roles: [] } });
  const codes = (subject: Plan, credential: Parameters<typeof checkCredential>[1]) => checkCredential(subject, credential).map(({ code }) => code);

  it('says nothing when the workspace describes no credential', () => {
    expect(codes(order, undefined)).toEqual([]);
  });

  it('CNV-06: sessions and API keys bypass scopes', () => {
    expect(codes(caching, { type: 'session', scopes: [] })).toEqual([]);
    expect(codes(caching, { type: 'apiKey' })).toEqual([]);
  });

  it('CNV-09: an OAuth token needs every scope', () => {
    expect(codes(caching, { type: 'oauth', scopes: ['sites:read', 'sites:write'] })).toEqual([]);
    expect(codes(caching, { type: 'oauth' })).toEqual([]);
    expect(checkCredential(caching, { type: 'oauth', scopes: [] })[0]).toMatchObject({ code: 'HW2203', detail: expect.stringContaining('sites:write and sites:read') as string });
  });

  it('CNV-11, CNV-13: some calls need the credential of a user', () => {
    expect(codes(order, { type: 'oauth' })).toEqual(['HW2203']);
    expect(codes(order, { type: 'system' })).toEqual(['HW2203']);
    expect(codes(order, { type: 'apiKey' })).toEqual([]);
  });
});
