// What no manifest takes is cut out of what is live, as little as is possible, and the notes stay where they belong.
import { describe, expect, it } from 'vitest';
import { dataKinds, registry } from '../../src/areas/index.ts';
import { parseYaml } from '../../src/manifest/read/parse.ts';
import type { AnnotatedDocument } from '../../src/manifest/write/representable.ts';
import { representable } from '../../src/manifest/write/representable.ts';
import { SourceText } from '../../src/manifest/read/source-text.ts';
import type { JsonObject } from '../../src/model/json.ts';

const document = (
  kind: string,
  name: string,
  spec: JsonObject,
  comments: AnnotatedDocument['comments'] = [],
): AnnotatedDocument => ({
  manifest: { apiVersion: 'hostwright/v1', kind, metadata: { name }, spec },
  comments,
  leftOut: [],
});
const said = (documents: readonly AnnotatedDocument[], existing = '') =>
  representable(documents, parseYaml(new SourceText('there.yaml', existing)).documents, { registry, dataKinds });
const rule = (name: string): JsonObject => ({
  name,
  action: { type: 'ForceSSL' },
  triggers: [{ type: 'Url', patterns: ['*'] }],
});

describe('sayable', () => {
  it('leaves what is sound as it is', () => {
    const sound = document('Site', 'a', { name: 'A', domains: ['a.example.com'] }, [
      { pointer: '/domains', text: 'Hostnames.' },
    ]);
    expect(said([sound])).toEqual({ documents: [sound], unrepresentable: [] });
  });

  it('takes out one field of a root or of settings, and the settings with their last field', () => {
    const { documents } = said([
      document(
        'Site',
        'a',
        {
          name: 'a\u0007',
          phpVersion: '8.3',
          caching: { smartCache: true, cacheExpiration: -9 },
          shield: { waf: { executionMode: 'never' } },
        },
        [{ pointer: '/shield/waf', text: 'Gone.' }],
      ),
    ]);
    expect(documents[0]?.manifest.spec).toEqual({ phpVersion: '8.3', caching: { smartCache: true } });
    expect(documents[0]?.leftOut.map(({ what }) => what).sort()).toEqual([
      'caching/cacheExpiration',
      'name',
      'shield/waf/executionMode',
    ]);
    expect(documents[0]?.leftOut.find(({ what }) => what === 'name')).toEqual({
      what: 'name',
      reason: 'a manifest cannot say it (malformed text at name)',
    });
  });

  it('takes out a whole list where what it does not name would be removed', () => {
    const { documents } = said([
      document('Site', 'a', { edgeRules: [rule('fine'), { ...rule('odd'), triggers: [] }] }, [
        { pointer: '/edgeRules/0', text: 'Gone.' },
      ]),
    ]);
    expect(documents[0]).toMatchObject({ manifest: { spec: {} }, comments: [], leftOut: [{ what: 'edgeRules' }] });
  });

  it('takes out single items of other lists, or single fields of them, and moves the notes', () => {
    const mailbox = (name: string, extra: JsonObject = {}): JsonObject => ({
      address: `${name}@example.com`,
      ...extra,
    });
    const mailboxes = [
      mailbox('a b'),
      mailbox('b'),
      mailbox('c', { displayName: 'x'.repeat(300) }),
      mailbox('d', { quotaMb: -1 }),
      mailbox('e'),
    ];
    const { documents } = said([
      document('Mailspace', 'example.com', { mailboxes }, [
        ...mailboxes.map((_, index) => ({ pointer: `/mailboxes/${index}`, text: `Number ${index}.` })),
        { pointer: '/mailboxes', text: 'All.' },
      ]),
    ]);
    expect(documents[0]?.manifest.spec.mailboxes).toEqual([mailbox('b'), mailbox('c'), mailbox('d'), mailbox('e')]);
    expect(documents[0]?.comments).toEqual(
      [1, 2, 3, 4]
        .map((index) => ({ pointer: `/mailboxes/${index - 1}`, text: `Number ${index}.` }))
        .concat({ pointer: '/mailboxes', text: 'All.' }),
    );
    expect(documents[0]?.leftOut.map(({ reason, members }) => [reason?.split(':')[0], members]).sort()).toEqual([
      ['a b@example.com', ['a b@example.com']],
      ['c@example.com', undefined],
      ['d@example.com', undefined],
    ]);
  });

  it('leaves to others what stands in their manifests', () => {
    const existing =
      'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: there }\nspec: { domains: [www.example.com] }\n';
    const { documents } = said(
      [document('Site', 'a', { domains: ['a.example.com', 'www.example.com'], primaryDomain: 'a.example.com' })],
      existing,
    );
    expect(documents[0]).toMatchObject({
      manifest: { spec: { domains: ['a.example.com'], primaryDomain: 'a.example.com' } },
      leftOut: [{ members: ['www.example.com'] }],
    });
  });

  it('gives up on what has no sound head, and on that alone', () => {
    const [bad, good] = [document('Mailspace', 'no hostname', {}), document('Mailspace', 'example.com', {})];
    expect(said([bad, good])).toEqual({
      documents: [good],
      unrepresentable: [{ document: bad, reason: expect.stringContaining('metadata') as unknown }],
    });
  });
});
