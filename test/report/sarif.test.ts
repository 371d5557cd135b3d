// What code scanning gets is SARIF 2.1.0, by the schema of its standard, and every rule in it says what to do.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import type { Note } from '../../src/report/annotations/notes.ts';
import { renderSarif } from '../../src/report/annotations/sarif.ts';
import { codes } from '../../src/usecases/explain/generated/codes.ts';

// That of OASIS without its descriptions, as draft 7.
const schema = JSON.parse(readFileSync(join(import.meta.dirname, 'golden/sarif-2.1.0.schema.json'), 'utf8')) as object;
const isUri = (text: string): boolean => URL.canParse(text);
const isReference = (text: string): boolean => URL.canParse(text, 'https://base.example/');
const formats = { uri: isUri, 'uri-reference': isReference, 'date-time': true } as const;

it('SARIF keeps to its schema with every code there is, with and without a place, and each rule has help and an address', () => {
  const notes = Object.keys(codes).flatMap((check, index): readonly Note[] => {
    const note = {
      check,
      level: 'warning',
      title: `${check} Title`,
      message: 'What is wrong.',
      isFinding: true,
    } as const;
    const source = { file: 'sites/a shop.yaml', line: index + 1, column: 3 };
    return [
      note,
      { ...note, level: 'error', source },
      { ...note, level: 'notice', source: { ...source, file: 'sites/\ud800.yaml', endLine: 9999 } },
    ];
  });
  const log = JSON.parse(renderSarif(notes, (file) => file, { version: '1.2.3', explain: (code) => codes[code] })) as {
    runs: [{ tool: { driver: { rules: { id: string; helpUri: string; help: { text: string } }[] } } }];
  };
  const validate = new Ajv({ strict: false, allErrors: true, formats }).compile(schema);
  expect(validate(log) ? [] : validate.errors).toEqual([]);
  const { rules } = log.runs[0].tool.driver;
  expect(rules.map(({ id }) => id)).toEqual(Object.keys(codes).sort());
  for (const { id, helpUri, help } of rules) {
    expect(helpUri).toBe(`https://unpkg.com/hostwright@1.2.3/docs/diagnostics.md#${id.toLowerCase()}`);
    expect(help.text).toContain(codes[id]?.why);
  }
});
