// The pages that a registry shows: each begins with an example that Terraform takes, and speaks its language.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { noTerraform, openTerraform } from '../support/processes/terraform.ts';

const DOCS = join(import.meta.dirname, '../../docs/terraform');
const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(join(DOCS, name), 'utf8') }));

const exampleIn = (text: string): string => /## Example Usage\n\n```hcl\n([^]*?)```/.exec(text)?.[1] ?? '';

it.each(pages)('$name has the layout of the registry, and no word of manifests', ({ name, text }) => {
  expect(text).toMatch(/^---\npage_title: ".+"\nsubcategory: ""\ndescription: \|-\n {2}\S/);
  expect(text.indexOf('## Example Usage')).toBeLessThan(text.indexOf('## Schema'));
  expect(exampleIn(text)).not.toBe('');
  expect(text).not.toMatch(/manifest|workspace file|hostwright\.yaml|--allow|YAML| Required\./i);
  if (text.includes('## Import')) expect(text).toMatch(/import \{[^]*terraform import hostwright_/);
  if (name.endsWith('resources/site.md'))
    expect(exampleIn(text)).toMatch(/display_name = .*# what the platform calls it/);
  if (name.endsWith('resources/site.md')) expect(text).toMatch(/`term` \(string\).*`monthly`, `annual`/);
});

it.skipIf(noTerraform !== undefined)('Terraform takes every example', async () => {
  const files = pages.map(({ name, text }) => [`${name.replaceAll('/', '-')}.tf`, exampleIn(text)] as const);
  const folder = await openTerraform(Object.fromEntries(files));
  const { code, printed } = await folder.run(['validate']);
  expect(code, printed).toBe(0);
});
