// The table of documented answers by itself: how an answer is found in it, and that it is whole.
import { describe, expect, it } from 'vitest';
import { documentedAnswer, endpointOf, ENDPOINTS } from '../../src/areas/endpoints.ts';
import { matching } from '../support/matchers.ts';

describe('documented answers', () => {
  it('are found by method, path, status and code', () => {
    expect(documentedAnswer('POST', '/api/orders', 400, 'over_capacity')).toMatchObject({
      means: 'blocked',
      rule: 'ORD-28',
    });
    expect(documentedAnswer('GET', '/api/orders?per_page=100', 400, 'missing_account')).toMatchObject({
      means: 'failed',
    });
    expect(documentedAnswer('PATCH', '/api/orders', 400, 'over_capacity')).toBeUndefined();
    expect(documentedAnswer('POST', '/api/orders', 422, 'over_capacity')).toBeUndefined();
    expect(documentedAnswer('POST', '/api/nothing', 400, 'over_capacity')).toBeUndefined();
  });

  it('CNV-22: one code means what it means at its endpoint', () => {
    expect(
      documentedAnswer('PATCH', '/api/domain_registrations/r1/holder', 404, 'source_contact_not_found')?.rule,
    ).toBe('REG-22');
    expect(
      documentedAnswer('POST', '/api/domain_registrations/r1/registrant_change', 422, 'source_contact_not_found')?.rule,
    ).toBe('REG-24');
    expect(documentedAnswer('GET', '/api/domain_registrations/r1/epp_code', 422, 'authcode_unavailable')?.means).toBe(
      'failed',
    );
    expect(documentedAnswer('GET', '/api/domain_registrations/r1/epp_code', 502, 'authcode_unavailable')?.means).toBe(
      'retry',
    );
    expect(documentedAnswer('PATCH', '/api/mailspace/m1', 422, 'pending_delete')?.rule).toBe('MSP-14');
    expect(documentedAnswer('POST', '/api/mailspace/m1/aliases', 403, 'pending_delete')?.rule).toBe('MSP-15');
    expect(documentedAnswer('POST', '/api/sites/s1/shield', 409, 'shield_not_active')?.rule).toBe('SHD-03');
    expect(documentedAnswer('DELETE', '/api/sites/s1/shield', 409, 'shield_not_active')?.means).toBe('done');
  });

  it('CNV-20: a status without a documented code is meant by any code that is not named', () => {
    expect(documentedAnswer('PATCH', '/api/sites/s1/cdn/caching', 502, 'anything')).toMatchObject({
      code: null,
      means: 'unclear',
    });
    expect(documentedAnswer('GET', '/api/sites/s1/cdn/caching', 502, null)).toMatchObject({ means: 'retry' });
    expect(documentedAnswer('DELETE', '/api/mailspace/m1/aliases/a@a.nl', 404, null)).toMatchObject({
      means: 'failed',
      rule: 'MSP-12',
    });
    expect(documentedAnswer('DELETE', '/api/mailspace/m1/aliases/a@a.nl', 404, 'unknown_alias')).toMatchObject({
      means: 'done',
      rule: 'ALS-08',
    });
  });

  it('MDM-21, SHD-22: words of a path go before a name in its place', () => {
    expect(endpointOf('GET', '/api/mailspace/m1/domains/dns')?.path).toBe('/api/mailspace/:mailspace/domains/dns');
    expect(endpointOf('GET', '/api/mailspace/m1/domains/a.nl')?.path).toBe('/api/mailspace/:mailspace/domains/:name');
    expect(endpointOf('GET', '/api/sites/s1/shield/access_lists/enums')?.path).toBe(
      '/api/sites/:site/shield/access_lists/enums',
    );
  });

  it('name every endpoint once, and each row a rule', () => {
    const keys = ENDPOINTS.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    for (const { path, answers } of ENDPOINTS) {
      expect(path).toMatch(/^\/api\//);
      for (const { rule, status } of answers)
        expect([rule, status >= 400]).toEqual([matching(/^[A-Z]{1,3}-\d+$/), true]);
    }
  });
});
