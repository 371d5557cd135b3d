// References in manifests: plain data stands in place of its name, other objects are kept beside the spec, and what
// takes values waits for them.
import { describe, expect, test } from 'vitest';
import { declaredDigest } from '../../src/planner/digest.ts';
import { readText } from './support.ts';

const ADA =
  '{ firstName: Ada, lastName: Vries, streetAddress: Main 1, postCode: 1000AA, city: Amsterdam, country: NL, email: a@acme.example, phone: "+31.201234567" }';
const contact = (name: string, spec = ADA) =>
  `apiVersion: hostwright/v1\nkind: Contact\nmetadata: { name: ${name} }\nspec: ${spec}\n---\n`;
const registration = (fields: string, name = 'example.com', head = '') =>
  `apiVersion: hostwright/v1\nkind: DomainRegistration\nmetadata: { name: ${name} }\n${head}spec: { ${fields} }\n---\n`;
const site = (fields: string) =>
  `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop }\nspec: { ${fields} }\n---\n`;
const FROM_SITE = 'nameservers: { ref: Site/shop/SiteDomain/example.com, output: nameservers }';

async function collectionsOf(text: string) {
  const { collections, diagnostics } = await readText(text);
  expect(diagnostics).toEqual([]);
  return new Map(collections.map((collection) => [collection.collection, collection]));
}

describe('plain data', () => {
  test('no collection is made for it, and its fields stand where it is named, wherever it is written', async () => {
    const collections = await collectionsOf(
      `${registration('contacts: { tech: { ref: Contact/ada } }')}${contact('ada')}`,
    );
    expect([...collections.keys()].filter((key) => key.includes('Contact/'))).toEqual([]);
    expect(JSON.stringify([...collections.values()])).toContain('"email":"a@acme.example"');
    expect(JSON.stringify([...collections.values()])).not.toContain('"ref"');
  });

  test('what is ignored is not named', async () => {
    const { diagnostics } = await readText(
      `${registration('contacts: { tech: { ref: Contact/gone } }', 'example.com', 'lifecycle: { ignore: [/contacts] }\n')}`,
    );
    expect(diagnostics).toEqual([]);
  });

  test('one mistake in it is told once, and nothing of those who name it', async () => {
    const { diagnostics, collections } = await readText(
      `${contact('ada', '{ firstName: Ada }')}${registration('contacts: { tech: { ref: Contact/ada } }')}`,
    );
    expect(new Set(diagnostics.map(({ address }) => address))).toEqual(new Set(['Contact/ada']));
    expect(collections).toEqual([]);
  });

  test('many that might be meant are cut short', async () => {
    const { diagnostics } = await readText(
      `${Array.from({ length: 12 }, (_, index) => contact(`somebody-${index}`)).join('')}${registration('contacts: { tech: { ref: Contact/xyzzy } }')}`,
    );
    expect(diagnostics.find(({ code }) => code === 'HW1331')?.detail).toContain('`Contact/somebody-9` and 2 more.');
  });

  test('something in it has no address', async () => {
    const { diagnostics } = await readText(
      `${contact('ada')}${registration('nameservers: { ref: Contact/ada/Email/x, output: y }')}`,
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(expect.arrayContaining(['HW1331', 'HW1335']));
  });
});

describe('an order', () => {
  test('O-17: is kept with the object that it is written for, and no kind sees it', async () => {
    const collections = await collectionsOf(
      `${site('domains: [a.nl, { hostname: www.b.nl, registration: { ref: DomainRegistration/b.nl } }]')}${registration('', 'b.nl')}`,
    );
    expect(collections.get('Site/shop/SiteDomain')?.members.map(({ spec, restsOn }) => [spec, restsOn])).toEqual([
      [{ hostname: 'a.nl' }, undefined],
      [{ hostname: 'www.b.nl' }, [{ pointer: '/domains/1/registration', ref: 'DomainRegistration/b.nl' }]],
    ]);
  });

  test('of a root is not one of what is in it', async () => {
    const spec =
      'registration: { ref: DomainRegistration/b.nl }, domains: [{ name: c.nl, registration: { ref: DomainRegistration/c.nl } }]';
    const mail = `apiVersion: hostwright/v1\nkind: Mailspace\nmetadata: { name: mail.b.nl }\nspec: { ${spec} }\n---\n`;
    const collections = await collectionsOf(`${mail}${registration('', 'b.nl')}${registration('', 'c.nl')}`);
    expect(collections.get('Mailspace')?.members[0]?.restsOn).toEqual([
      { pointer: '/registration', ref: 'DomainRegistration/b.nl' },
    ]);
    expect(collections.get('Mailspace/mail.b.nl/MailDomain')?.members[0]?.restsOn).toEqual([
      { pointer: '/domains/0/registration', ref: 'DomainRegistration/c.nl' },
    ]);
  });

  test('of a manifest with mistakes nothing is told but those', async () => {
    const { diagnostics } = await readText(
      `${site('domains: [{ hostname: b.nl, registration: { ref: DomainRegistration/b.nl } }]')}${registration('nonsense: 1', 'b.nl')}`,
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(['HW1201']);
  });
});

describe('a value', () => {
  test('is waited for: until it is known nothing is said to be wanted', async () => {
    const collections = await collectionsOf(`${site('domains: [example.com]')}${registration(FROM_SITE)}`);
    const servers = collections.get('DomainRegistration/example.com/RegistrationNameservers');
    expect(servers).toMatchObject({
      members: [],
      partial: false,
      unresolved: {
        references: [{ pointer: '/nameservers', ref: 'Site/shop/SiteDomain/example.com', output: 'nameservers' }],
      },
    });
    expect(servers?.sourceOf('')).toMatchObject({ line: 9, column: 9 });
    expect(collections.get('DomainRegistration')?.members[0]?.spec).not.toHaveProperty('nameservers');
  });

  test('once it is known the section is as if it had been written', async () => {
    const from = (await collectionsOf(`${site('domains: [example.com]')}${registration(FROM_SITE)}`)).get(
      'DomainRegistration/example.com/RegistrationNameservers',
    );
    const written = (await collectionsOf(registration('nameservers: [ns1.example.net, ns2.example.net]'))).get(
      'DomainRegistration/example.com/RegistrationNameservers',
    );
    const filled = from?.unresolved?.filled(new Map([['/nameservers', ['ns1.example.net', 'ns2.example.net']]]));
    expect(filled).not.toHaveProperty('unresolved');
    expect(filled?.members).toMatchObject([
      { spec: written?.members[0]?.spec, resolvedReferences: [{ output: 'nameservers' }] },
    ]);
  });

  test('what is declared is another thing when another object is named', async () => {
    const digestOf = async (host: string) => {
      const collections = await collectionsOf(
        `${site('domains: [example.com, example.net]')}${registration(FROM_SITE.replace('example.com', host))}`,
      );
      return declaredDigest(collections.get('DomainRegistration/example.com/RegistrationNameservers') as never);
    };
    expect(await digestOf('example.com')).toBe(await digestOf('example.com'));
    expect(await digestOf('example.com')).not.toBe(await digestOf('example.net'));
  });
});
