// Ids of rules are for `explain`, --verbose and JSON: no sentence that is read in a report ends with one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { showProse } from '../../src/report/view/names.ts';

const SOURCE = join(import.meta.dirname, '../../src');
const GOLDEN = [join(import.meta.dirname, 'golden'), join(import.meta.dirname, '../golden')];
/** The sandbox speaks for itself; `explain` tells rules by their ids. */
const NOT_TOLD = /^sandbox|^usecases\/explain|generated|^cli\/commands\/explain\/explain\.ts$/;
const RULE =
  /\b(?:O|ALS|BKP|CCH|CDN|CNV|DCT|DOM|EDG|GAP|GRP|HST|LIM|MBX|MDM|MET|MSP|ORD|PHP|PNL|REG|SHD|SIT|TML|USR)-\d+/;

const files = (folder: string): readonly string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' });

/** The texts in a source that name a rule and are sentences; `*` for what is filled in. */
function sentences(file: string): readonly string[] {
  const found: string[] = [];
  const walk = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    else if (ts.isTemplateExpression(node))
      found.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('*'));
    ts.forEachChild(node, walk);
  };
  walk(ts.createSourceFile(file, readFileSync(join(SOURCE, file), 'utf8'), ts.ScriptTarget.Latest, true));
  return found.filter((text) => text.includes(' ') && RULE.test(text));
}

describe('ids of rules', () => {
  const told = files(SOURCE)
    .filter((file) => file.endsWith('.ts') && !NOT_TOLD.test(file))
    .flatMap(sentences);

  it('stand in sentences only in a form that reports leave out', () => {
    expect(told.length).toBeGreaterThan(50);
    expect(told.map((text) => showProse(text)).filter((text) => RULE.test(text))).toEqual([]);
    expect(told.filter((text) => !RULE.test(showProse(text, undefined, { rules: true })))).toEqual([]);
  });

  it('stand in no report but --verbose ones', () => {
    const reports = GOLDEN.flatMap((folder) =>
      files(folder)
        .filter((file) => /\.(?:txt|md)$/.test(file) && !/verbose|requests|hostile/.test(file))
        .map((file) => join(folder, file)),
    );
    expect(reports.length).toBeGreaterThan(30);
    const cited = reports.flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => RULE.test(line))
        .map((line) => `${file.slice(file.lastIndexOf('/') + 1)}: ${line.trim()}`),
    );
    expect(cited).toEqual([]);
  });
});
