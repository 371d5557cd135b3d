// docs/coverage.md leaves nothing out, and what it names is there.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { sentLines } from '../.ci/api-coverage/sent.ts';
import { claimsBeyond, ENDPOINTS, FIELDS, SENT, wasSent, withoutNames } from '../.ci/api-coverage/table.ts';
import { buildProgram } from '../src/cli/program.ts';
import { ENDPOINTS as TABLE } from '../src/areas/endpoints.ts';
import type { Schema } from '../src/usecases/explain/schema.ts';
import { OPERATION_ROWS } from '../src/usecases/act/operations.ts';
import { explain } from '../src/usecases/explain/explain.ts';

const rows = [...Object.values(ENDPOINTS), ...Object.values(FIELDS)].flat();

describe('the coverage of the API', () => {
  it('has an answer for every documented endpoint', () => {
    const answered = new Set(
      Object.values(ENDPOINTS)
        .flat()
        .map(([name]) => withoutNames(name)),
    );
    const documented = TABLE.map(({ method, path }) => `${method} ${path}`);
    expect(documented.filter((name) => !answered.has(withoutNames(name)))).toEqual(['GET /api/sites/:site']);
  });

  it('says of no endpoint that a session sent a request to that it is not reached', () => {
    const claimed = Object.values(ENDPOINTS)
      .flat()
      .filter(([, reach]) => reach !== 'no' && reach !== 'same')
      .map(([name]) => withoutNames(name));
    // Only asked whether it is there: the documented path of the view has the row (GAP-04).
    expect([...SENT.keys()].filter((name) => !claimed.includes(name))).toEqual(['GET /api/sites/:']);
  });

  it('says of a field that it is sent where a session sent it, and nowhere else', () => {
    const wrong = Object.entries(FIELDS).flatMap(([name, fields]) =>
      fields
        .filter(([field, reach]) => wasSent(name, field) === (reach === 'no' || reach === 'same'))
        .map(([field]) => `${name} ${field}`),
    );
    expect(wrong).toEqual([]);
  });

  it('is told what it claims beyond what a run sent', () => {
    expect(claimsBeyond(sentLines())).toEqual([]);
    expect(claimsBeyond(sentLines().filter((line) => !line.includes('/variants/php')))).toEqual([
      'PATCH /api/sites/:id/variants/php',
      'PATCH /api/sites/:id/variants/php variant_id',
    ]);
  });

  it('has every request of the sessions in the table of endpoints', () => {
    const known = new Set(TABLE.map(({ method, path }) => withoutNames(`${method} ${path}`)));
    expect([...SENT.keys()].filter((name) => !known.has(name))).toEqual([]);
  });

  it('names commands that are there', () => {
    const program: Command = buildProgram('0', { raw: () => undefined } as never, () => Promise.resolve());
    const named = rows.flatMap(([, , how]) =>
      [...how.matchAll(/`([a-z][a-z -]+)`/g)].map(([, words]) => words as string),
    );
    const unknown = named.filter((words) => {
      let command: Command | undefined = program;
      for (const word of words.split(' ')) {
        if (command === undefined) return true;
        // The argument of `get` is a kind, the one of `run` an operation.
        if (command.name() === 'get') return false;
        if (command.name() === 'run') return !OPERATION_ROWS.some(({ name }) => name === word);
        command = command.commands.find((one) => one.name() === word);
      }
      return command === undefined;
    });
    expect([...new Set(unknown)]).toEqual([]);
  });

  it('names fields that are there', async () => {
    const schemas = await readSchemas();
    const named = rows.flatMap(([, , how]) =>
      [...how.matchAll(/`([A-Z]\w+(?:\.\w+)*)`/g)].map(([, words]) => words as string),
    );
    expect(named.length).toBeGreaterThan(100);
    expect([...new Set(named)].filter((field) => 'problem' in explain(schemas, field))).toEqual([]);
  });
});

async function readSchemas(): Promise<ReadonlyMap<string, Schema>> {
  const folder = join(import.meta.dirname, '../schemas');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.schema.json'));
  const documents = await Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as KindDocument),
  );
  return new Map(
    documents.flatMap((document) => {
      const kind = document.properties?.kind?.const;
      return kind === undefined ? [] : [[kind, document] as const];
    }),
  );
}

type KindDocument = Schema & { readonly properties?: { readonly kind?: { readonly const?: string } } };
