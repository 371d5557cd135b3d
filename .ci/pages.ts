// What people read and what is derived: the reference pages of `docs/` and `schemas/`. The program itself says it.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { SCHEMA } from '../src/terraform/generated/schema.ts';
import type { Schema } from '../src/usecases/explain/schema.ts';
import { coveragePage } from './api-coverage/page.ts';
import { commandsPage } from './commands-page.ts';
import { diagnosticsPage } from './diagnostics-page.ts';
import type { Files } from './generated-code.ts';
import { readKindSchemas } from './manifest-schemas.ts';
import { referenceOf } from './reference.ts';
import { terraformPages } from './terraform-pages.ts';

/** Needs the generated code. */
export async function pageFiles(): Promise<Files> {
  const schemas = new Map((await readKindSchemas()).map(({ kind, schema }) => [kind, schema as Schema]));
  const root = path.resolve(import.meta.dirname, '..');
  const diagnostics = await readFile(path.join(root, 'docs/diagnostics.md'), 'utf8');
  return new Map([
    ...terraformPages(inflateRawSync(Buffer.from(SCHEMA, 'base64'))),
    ['docs/commands.md', commandsPage()],
    ['docs/coverage.md', coveragePage()],
    ['docs/diagnostics.md', diagnosticsPage(diagnostics)],
    ['schemas/README.md', referenceOf(schemas)],
  ]);
}
