// Random manifests: a program that repeats the values of YAML documents declares the same values. All of them are in one
// program, because starting a process takes longer than everything else.
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { readProgram } from '../../src/manifest/program/documents.ts';
import { parseYaml } from '../../src/manifest/read/parse.ts';
import { SourceText } from '../../src/manifest/read/source-text.ts';
import { writeManifests } from '../../src/manifest/write/write.ts';
import { programTextOf } from '../support/program-text.ts';
import { programAccess } from '../support/processes/programs.ts';
import { runsOf, seedOf } from '../support/property-runs.ts';
import { openHarness } from '../support/open-harness.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary-ascii' }),
  fc.constantFrom(
    '',
    '~',
    'null',
    'yes',
    '0x1f',
    '1_000',
    '${x}',
    "it's",
    '"',
    '\\',
    '`',
    '</script>',
    ' a ',
    '\n\n',
    '# a',
  ),
);
/** Names of fields, as those that every object in JavaScript has, and no number: an object would put that first. */
const field = fc
  .oneof(text, fc.constantFrom('constructor', 'toString', 'caching', 'domains', 'new', 'a-b'))
  .filter((name) => name !== '__proto__' && !/^\d+$/.test(name));
const value = fc.letrec<{ readonly value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number || 0),
    fc.record({ env: fc.constant('MAIL'), rotate: text }, { requiredKeys: ['env'] }),
    fc.record({ ref: fc.constant('Contact/nobody') }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(field, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;
/** What stands in `metadata` or beside the spec, or is a call, cannot be a field of a spec. */
const BESIDE = ['id', 'lifecycle', 'profiles'];
const spec = fc.dictionary(
  field.filter((name) => !BESIDE.includes(name)),
  value,
  { maxKeys: 5, noNullPrototype: true },
);

it('a program declares the same values as the YAML it was written from', async () => {
  const specs = fc.sample(spec, { numRuns: runsOf(1_000), ...seedOf() });
  const manifests = specs.map((one, index) => ({
    manifest: { apiVersion: 'hostwright/v1', kind: 'Site', metadata: { name: `s${index}` }, spec: one } as JsonObject,
  }));
  const { documents, diagnostics } = parseYaml(new SourceText('all.yaml', writeManifests(manifests)));
  expect(diagnostics).toEqual([]);
  const wanted = documents.map(
    (document) => document.value as { readonly metadata: { name: string }; spec: JsonObject },
  );
  const program = programTextOf(
    wanted.map(({ metadata, spec: own }) => ({ kind: 'Site', name: metadata.name, props: own })),
  );
  const harness = await openHarness({ files: { 'hosting.ts': program } });
  const read = await readProgram(
    {
      program: `${harness.root}/hosting.ts`,
      source: new SourceText('hosting.ts', program),
      root: harness.root,
      cwd: harness.root,
      variables: [],
      secret: [],
    },
    programAccess(),
  );
  expect([read.diagnostics, read.accounts.flatMap((account) => account.diagnostics)]).toEqual([[], []]);
  const declared = read.accounts.flatMap((account) => account.documents.map((document) => document.value));
  expect(declared.length).toBe(specs.length);
  for (const [index, one] of declared.entries()) expect(one).toEqual(wanted[index]);
});
