// Documentation out of the schemas: every field of every kind has a page with a valid manifest on it, and a name leads
// to the page that was meant.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { registry } from '../../src/areas/index.ts';
import { validators } from '../../src/manifest/generated/validator-table.ts';
import type { Explained } from '../../src/model/explained.ts';
import { explain, explainAll, explainKinds } from '../../src/usecases/explain/explain.ts';
import type { Schema } from '../../src/usecases/explain/schema.ts';
import { formsOf } from '../../src/usecases/explain/schema.ts';
import { containing, matching } from '../support/matchers.ts';

const folder = path.resolve(import.meta.dirname, '../../schemas');
const files = (await readdir(folder)).filter((name) => name.endsWith('.schema.json'));
const all = await Promise.all(
  files.map(async (name): Promise<readonly [string, Schema]> => {
    const schema = JSON.parse(await readFile(path.join(folder, name), 'utf8')) as Schema;
    return [(schema.properties?.kind?.const ?? '') as string, schema];
  }),
);
// What Hostwright itself writes has no kind.
const schemas = new Map(all.filter(([kind]) => kind !== ''));

function page(asked: string): Explained {
  const found = explain(schemas, asked);
  if ('problem' in found) throw new Error(found.problem.detail);
  return found;
}

/** True when something stands at the path of a page, in some item of every list on the way. */
function holds(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((item) => holds(item, [name as string, ...rest]));
  if (name === undefined) return value !== undefined;
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, name) &&
    (rest.length === 0 || holds((value as Record<string, unknown>)[name], rest))
  );
}

describe.each([...schemas.keys()])('every field of %s', (kind) => {
  const pages = explainAll(schemas, kind);

  it('has a page that is found by its path, with a valid manifest that has the field in it, also as YAML', () => {
    expect(pages.length).toBeGreaterThan(5);
    for (const one of pages) {
      expect(page(one.path), one.path).toEqual(one);
      expect(validators[kind]?.(one.manifest), one.path).toBe(true);
      expect(parse(one.yaml), one.path).toEqual(one.manifest);
      const names = one.path
        .split('.')
        .slice(1)
        .map((name) => name.replaceAll('[]', ''));
      expect(holds(one.manifest, names) || holds(one.manifest.spec, names), one.path).toBe(true);
      expect(
        [one.description, one.type].every((text) => text !== ''),
        one.path,
      ).toBe(true);
    }
  });

  it('is told its change where a kind holds it, and every field of a kind that is written is told somewhere', () => {
    const reported = new Set(
      pages.flatMap(({ change }) => (change === undefined ? [] : [`${change.kind}.${change.field}`])),
    );
    const held = [...registry.values()].filter(
      (one) => (one.kind === kind || one.parent === kind) && one.capabilities.hook === undefined,
    );
    const written = held.flatMap(({ kind: name, fields }) =>
      Object.entries(fields)
        .filter(([, rule]) => rule.shape !== 'position')
        .map(([field]) => `${name}.${field}`),
    );
    const unreported = written.filter((field) => !reported.has(field)).sort();
    expect(unreported).toEqual(UNTOLD.filter((field) => held.some(({ kind: name }) => field.startsWith(`${name}.`))));
  });
});

/**
 * Fields that no manifest writes under a name of their own: keys that are names or places, states of objects that go,
 * and people, who are written in contacts.
 */
const UNTOLD = [
  'CacheLayer.layer',
  'DomainRegistration.name',
  'Mailbox.deletion',
  'Mailspace.domain',
  'RegistrationContacts.owner',
  'RegistrationNameservers.dnssec',
  ...[
    'city',
    'country',
    'email',
    'extraProperties',
    'firstName',
    'lastName',
    'organization',
    'phone',
    'postCode',
    'roles',
    'state',
    'streetAddress',
  ].map((field) => `RegistrationOwner.${field}`),
];

describe('a name', () => {
  it('of a field is taken in any spelling that people use', () => {
    const { path: at } = page('Site.edgeRules[].triggers[].type');
    for (const asked of [
      'Site.edgeRules.triggers.type',
      'site.EdgeRules[0].triggers[1].type',
      'Site/edgeRules/0/triggers/-/type',
      'Site/spec/edgeRules/*/triggers/0/type',
      'Site.spec.edge_rules.triggers.type',
      'EdgeRule.triggers.type',
    ])
      expect(page(asked).path).toBe(at);
    expect(page('Site.metadata.name').path).toBe('Site.metadata.name');
    expect(page('DomainRegistration.nameservers.ref').type).toBe('text');
  });

  it('of any kind of object leads to where it is declared', () => {
    for (const { kind } of registry.values()) expect(page(kind).object?.kind, kind).toBeDefined();
    expect([
      page('EdgeRule').path,
      page('Shield').path,
      page('ShieldWaf').path,
      page('SiteDomain').path,
      page('mailbox').path,
    ]).toEqual(['Site.edgeRules', 'Site.shield', 'Site.shield.waf', 'Site.domains', 'Mailspace.mailboxes']);
    const kinds = explainKinds(schemas);
    expect(kinds.flatMap(({ inside }) => inside.map(({ kind }) => kind)).sort()).toEqual(
      [...registry.values()]
        .filter(({ parent }) => parent !== null)
        .map(({ kind }) => kind)
        .sort(),
    );
  });

  it('that is wrong is answered with the nearest that there is', () => {
    const problem = (asked: string) => {
      const found = explain(schemas, asked);
      return 'problem' in found ? `${found.problem.code} ${found.problem.detail}` : '';
    };
    expect(problem('Sit')).toMatch(/^HW6541 .*Did you mean `Site`/);
    expect(problem('EdgeRul')).toContain('Did you mean `EdgeRule`');
    expect(problem('')).toMatch(/^HW6541/);
    expect(problem('Site.cachin')).toMatch(/^HW6542 Site has no field `cachin`\. Did you mean `caching`/);
    expect(problem('Site.edgeRules.trigers')).toContain(
      'Site.edgeRules has no field `trigers`. Did you mean `triggers`',
    );
    expect(problem('Site.plan.x')).toContain('It has no fields.');
    expect(problem('Site.__proto__')).toContain('HW6542');
  });
});

describe('a page', () => {
  it('says what a change comes to, and what it costs besides', () => {
    expect(page('Site.plan').change).toMatchObject({
      kind: 'Site',
      rule: 'updatable',
      risks: ['charge', 'restart'],
      mayRisk: false,
    });
    expect(page('Site.shield.plan').change).toMatchObject({
      kind: 'Shield',
      risks: ['charge', 'exposure'],
      mayRisk: true,
    });
    expect(page('Site.shield.waf.executionMode').change).toMatchObject({ risks: ['exposure'], mayRisk: true });
    expect(page('Site.phpVersion').change).toMatchObject({ kind: 'PhpVersion', field: 'version', risks: ['restart'] });
    expect(page('Site.cacheLayers.redis').change).toMatchObject({
      kind: 'CacheLayer',
      field: 'enabled',
      rule: 'updatable',
    });
    expect(page('Site.primaryDomain').change).toMatchObject({
      kind: 'SiteDomain',
      field: 'primary',
      risks: ['primary'],
      mayRisk: true,
    });
    expect(page('Site.domains.attach').change).toMatchObject({ rule: 'createOnly', why: containing('DOM-06') });
    expect(page('Mailbox.password').change?.rule).toBe('writeOnly');
    expect(page('DomainRegistration.dnssec.rotate').change?.rule).toBe('rotation-token');
    expect(page('DomainRegistration.order.authcode').change).toMatchObject({ field: 'authcode', rule: 'writeOnly' });
    expect(page('Mailspace.package').change).toMatchObject({ rule: 'immutable', manual: true });
    expect(page('Site.edgeRules.triggers.type').change).toMatchObject({
      field: 'triggers',
      partOf: 'edgeRules[].triggers',
      shape: 'set',
    });
    // The holder is a section of its own: what is around it says nothing of it.
    expect(page('DomainRegistration.contacts.owner')).toMatchObject({ object: { kind: 'RegistrationOwner' } });
    expect(page('DomainRegistration.contacts.owner').change).toBeUndefined();
  });

  it('says type, limits, values and defaults, through lists and choices', () => {
    expect(page('Site.domains')).toMatchObject({
      type: 'list of (text or mapping)',
      required: false,
      limits: expect.arrayContaining(['nothing twice']) as string[],
    });
    expect(page('Site.edgeRules.triggers')).toMatchObject({
      type: 'list of mapping',
      required: true,
      limits: ['1 to 5 items'],
    });
    expect(page('Site.edgeRules.match').allowed).toEqual(['any', 'all', 'none']);
    expect(page('Site.lifecycle.protect')).toMatchObject({ type: 'true or false', default: false });
    expect(page('Contact.extraProperties').type).toBe('mapping of names to any value');
    expect(page('DomainRegistration.nameservers').type).toBe('list of text or mapping');
    expect(page('Site').fields.map(({ path: at }) => at)).toEqual(
      expect.arrayContaining(['Site.metadata', 'Site.edgeRules']),
    );
    expect([page('Site.caching.smartCache').profile, page('Site.primaryDomain').profile]).toEqual([
      'SiteProfile',
      undefined,
    ]);
  });

  it('shows each form of a value with its own fields and lines, in a list too', () => {
    expect(page('DomainRegistration.dnssec').forms).toMatchObject([
      { name: 'DNSSEC off', fields: [{ name: 'enabled', allowed: [false] }], yaml: 'dnssec:\n  enabled: false' },
      { name: 'DNSSEC on', fields: [{ name: 'keys' }, { name: 'rotate' }] },
    ]);
    expect(page('Site.domains').forms).toMatchObject([
      { name: 'text', fields: [], yaml: 'domains: [www.example.com]' },
      { name: 'Site domain', yaml: matching(/^domains:\n {2}- hostname: /) },
    ]);
    // Values that are all single have nothing more to show than their types.
    expect(page('Site.edgeRules.triggers.type').forms).toEqual([]);
    expect(page('Site').forms).toEqual([]);
  });

  it('takes the fields of a mapping that has one at a time for its forms', () => {
    const text = { type: 'string', description: 'Where.', examples: ['/new'] };
    const to = { type: 'object', properties: { to: text }, required: ['to'], description: 'Sends visitors away.' };
    const lists = { oneOf: [{ type: 'array', items: { type: 'string' } }, to] };
    const schema: Schema = {
      type: 'object',
      minProperties: 1,
      properties: { redirect: to, either: lists, type: text },
    };
    const forms = (given: Schema) => formsOf({ document: given, schema: given, path: 'spec.action', required: true });
    expect(forms(schema).map(({ field }) => field)).toEqual(['redirect', 'either']);
    expect(forms({ type: 'array', items: schema }).map(({ place }) => place.path)).toEqual([
      'spec.action[].redirect',
      'spec.action[].either',
    ]);
    expect(forms({ ...schema, required: ['type'] })).toEqual([]);
    expect(forms({ ...schema, minProperties: 2 })).toEqual([]);
  });
});
