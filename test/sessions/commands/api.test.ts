// `get --raw PATH`: what the platform answers, without secrets, to its last page; nothing else leaves.
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { openCommandLine } from '../../support/command-line.ts';

async function api(line: string) {
  const { root, run, sent } = await openCommandLine({}, { HOSTWRIGHT_ACCOUNT: 'acc-acme' });
  await rm(join(root, 'hostwright.yaml'));
  const ended = await run(`get --raw ${line}`);
  return { ...ended, sent: sent() };
}

const isDocument = new Ajv2020({ strict: true }).compile(
  JSON.parse(readFileSync(new URL('../../../schemas/api.schema.json', import.meta.url), 'utf8')) as object,
);

describe('get --raw', () => {
  it('shows an answer without its secrets (CNV-35)', async () => {
    const { stdout, code, sent } = await api('/api/sites');
    expect(code).toBe(0);
    expect(sent).toEqual(['GET /api/sites']);
    expect(JSON.parse(stdout)).toMatchObject({
      sites: expect.arrayContaining([expect.objectContaining({ id: 'site-shop' })]) as unknown,
    });
    expect(stdout).not.toMatch(/password/);
  });

  it('asks for all pages of a list, and for one page where the path has a query (ORD-02)', async () => {
    expect((await api('/api/orders')).sent).toEqual(['GET /api/orders?per_page=100']);
    expect((await api('/api/orders?page=2')).sent).toEqual(['GET /api/orders?page=2']);
  });

  it.each(['json', 'yaml'])('is a document as %s, also where the platform refuses', async (format) => {
    const found = await api(`/api/sites/site-shop/variants -o ${format}`);
    expect(found.code).toBe(0);
    const missing = await api(`/api/sites/nobody/tasks -o ${format}`);
    expect(missing.code).toBe(1);
    expect(missing.stdout).toContain('HW3075');
    if (format === 'json')
      for (const { stdout } of [found, missing])
        expect(isDocument(JSON.parse(stdout)), JSON.stringify(isDocument.errors)).toBe(true);
  });

  it.each([
    ['https://elsewhere.example/api/sites', 'HW6578'],
    ['//elsewhere.example/api/sites', 'HW6578'],
    ['/api/../admin', 'HW6578'],
    ['/api/sites/%2e%2e/%2e%2e/admin', 'HW6578'],
    ['/api/domain_registrations/reg-1/epp_code', 'HW6579'],
  ])('refuses %s', async (path, code) => {
    const refused = await api(path);
    expect(refused).toMatchObject({ code: 1, sent: [], stderr: expect.stringContaining(code) as unknown });
  });
});
