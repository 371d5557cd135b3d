// Every text of the engine that can reach Terraform is said there in the words of its language.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inTerraformWords } from '../../src/terraform/diagnostics.ts';

const SOURCE = join(import.meta.dirname, '../../src');
/** Where the sentences are written that a plan, a run and a check of one root say. */
const SAYING = [
  'areas',
  'planner',
  'observe',
  'apply',
  'manifest/read',
  'usecases/one-root',
  'usecases/plan',
  'terraform',
];

/** Texts of more than one word in a file of TypeScript, templates with what stands in them as `x`. */
function textsIn(source: string): readonly string[] {
  const code = source.replace(/\/\*[^]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const found = code.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g);
  return [...found]
    .map(([, plain, template]) => plain ?? (template ?? '').replace(/\$\{[^{}]*\}/g, 'x'))
    .map((text) => text.replace(/\\(.)/g, '$1'))
    .filter((text) => /[a-z] [a-z`]/.test(text) && !text.includes('\n'));
}

const YAML =
  /\b[Mm]anifests?\b|workspace file|hostwright\.yaml|--(allow-|max-spend)|metadata\.|\bspec\.|\bYAML\b|apply --resume|in quotes|`[a-z][\w.]*: [^`]+`|`[a-z]+[A-Z]\w*`|Uncomment/;

it('fields that differ have the names of attributes', () => {
  const said = 'update Caching: cacheExpiration, smartCache differ; wafMode was never written';
  expect(inTerraformWords(said)).toBe(
    'update Caching: cache_expiration, smart_cache differ; waf_mode was never written',
  );
});

it('no sentence speaks of manifests, workspaces, options of commands or YAML', () => {
  const files = SAYING.flatMap((folder) =>
    readdirSync(join(SOURCE, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/generated/.test(name))
      .map((name) => join(SOURCE, folder, name)),
  );
  const texts = files.flatMap((file) => textsIn(readFileSync(file, 'utf8')));
  expect(texts.length).toBeGreaterThan(1000);
  const wrong = texts.map((text) => inTerraformWords(text)).filter((text) => YAML.test(text));
  expect(wrong).toEqual([]);
});
