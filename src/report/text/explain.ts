// How documentation reads in a terminal: wrapped to its width, the example last so that it can be copied.
import wrapAnsi from 'wrap-ansi';
import type { Explained, ExplainedKind } from '../../model/explained.ts';
import { changeWords, firstSentence, objectWords, typeWords, valueWords } from './explain-format.ts';
import { escapeBlock, escapeText } from '../view/escape.ts';
import type { Style } from './style.ts';
import { createStyle } from './style.ts';

export interface ExplainTextOptions {
  readonly color: boolean;
  readonly width: number;
}

export function renderExplained(page: Explained, { color, width }: ExplainTextOptions): string {
  const style = createStyle(color);
  const { path, description, change, object, profile, fields, inside, yaml } = page;
  const labelled = [
    ...valueWords(page),
    ...(change === undefined ? [] : [['Change', changeWords(change)] as const]),
    ...(object === undefined ? [] : [['Object', objectWords(object)] as const]),
    ...(profile === undefined ? [] : [['Shared', `A ${profile} can hold it.`] as const]),
  ];
  return [
    `${style.strong(path)}  ${style.faint(typeWords(page))}`,
    wrapped(description, '  ', width),
    ...(labelled.length === 0 ? [] : [table(labelled, style, width)]),
    ...(fields.length === 0
      ? []
      : [
          `${style.strong('Fields')}\n${table(
            fields.map((field) => [field.name, `${typeWords(field)}. ${firstSentence(field.description)}`]),
            style,
            width,
          )}`,
        ]),
    ...(inside.length === 0
      ? []
      : [
          `${style.strong('Objects in it')}\n${table(
            inside.map(({ kind, path: at }) => [kind, at]),
            style,
            width,
          )}`,
        ]),
    `${style.strong('In a manifest')}\n${escapeBlock(yaml)
      .map((line) => `  ${line}`)
      .join('\n')}`,
  ].join('\n\n');
}

export function renderExplainedKinds(kinds: readonly ExplainedKind[], { color, width }: ExplainTextOptions): string {
  const style = createStyle(color);
  const rows = kinds.flatMap(({ kind, description, inside }) => [
    [kind, firstSentence(description)] as const,
    ...inside.map((object) => [`  ${object.kind}`, object.path] as const),
  ]);
  return table(rows, style, width);
}

/** Names on the left, what belongs to each wrapped beside it. */
function table(rows: readonly (readonly [name: string, words: string])[], style: Style, width: number): string {
  const left = Math.min(Math.max(...rows.map(([name]) => name.length)), Math.floor(width / 3));
  return rows
    .map(([name, words]) => {
      const lines = wrapped(words, ' '.repeat(left + 4), width);
      const label = `  ${style.strong(escapeText(name))}`;
      return name.length > left
        ? `${label}\n${lines}`
        : `${label}${' '.repeat(left - name.length + 2)}${lines.trimStart()}`;
    })
    .join('\n');
}

function wrapped(text: string, indent: string, width: number): string {
  return wrapAnsi(escapeText(text, 4000), width - indent.length)
    .split('\n')
    .map((line) => `${indent}${line}`)
    .join('\n');
}
