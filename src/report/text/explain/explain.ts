// How documentation reads in a terminal: wrapped to its width, the example last so that it can be copied.
import type {
  Explained,
  ExplainedCode,
  ExplainedForm,
  ExplainedKind,
  ExplainedRule,
  ExplainedWord,
} from '../../../model/explained.ts';
import {
  changeWords,
  codeWords,
  fieldsBeside,
  fieldWords,
  firstSentence,
  formWords,
  objectWords,
  planWordWords,
  ruleWords,
  typeWords,
  valueWords,
} from './format.ts';
import { escapeBlock, escapeText } from '../../view/escape.ts';
import { wrapProse } from '../prose.ts';
import type { Style } from '../style.ts';
import { createStyle } from '../style.ts';

export interface ExplainTextOptions {
  readonly color: boolean;
  readonly width: number;
}

export function renderExplained(page: Explained, { color, width }: ExplainTextOptions): string {
  const style = createStyle(color);
  const { path, description, change, object, profile, forms, inside, yaml } = page;
  const fields = fieldsBeside(page);
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
    ...(forms.length === 0
      ? []
      : [[style.strong('One of'), ...forms.map((form) => formText(form, style, width))].join('\n')]),
    ...(fields.length === 0
      ? []
      : [
          `${style.strong(forms.length === 0 ? 'Fields' : 'Other fields')}\n${table(
            fields.map((field) => [field.name, fieldWords(field)]),
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
    `${style.strong('In a manifest')}\n${indented(yaml, '  ')}`,
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

/** A diagnostic: what it is headed with, why it is reported, what to do. */
export function renderExplainedCode(page: ExplainedCode, { color, width }: ExplainTextOptions): string {
  const style = createStyle(color);
  return parted(`${style.strong(page.code)}  ${escapeText(page.summary)}`, codeWords(page), page.example, style, width);
}

/** A rule of the platform: what it says, what that means, what to do. */
export function renderExplainedRule(page: ExplainedRule, { color, width }: ExplainTextOptions): string {
  const style = createStyle(color);
  return parted(
    `${style.strong(page.rule)}  ${style.faint('a rule of the platform')}`,
    ruleWords(page),
    undefined,
    style,
    width,
  );
}

/** A word of plans: what it means, what to do. */
export function renderExplainedWord(page: ExplainedWord, { color, width }: ExplainTextOptions): string {
  const style = createStyle(color);
  const head = `${style.strong(page.word)}  ${style.faint('a word of plans')}`;
  return parted(head, planWordWords(page), undefined, style, width);
}

function parted(
  head: string,
  rows: readonly (readonly [label: string, words: string])[],
  example: string | undefined,
  style: Style,
  width: number,
): string {
  return [
    head,
    table(rows, style, width),
    ...(example === undefined ? [] : [`${style.strong('Example')}\n${indented(example, '  ')}`]),
  ].join('\n\n');
}

/** A form of a value: how it is called, what it is, its fields, lines for the manifest. */
function formText(form: ExplainedForm, style: Style, width: number): string {
  const { name, fields, yaml } = form;
  return [
    `  ${style.strong(escapeText(name))}`,
    wrapped(formWords(form), '    ', width),
    ...(fields.length === 0
      ? []
      : [
          table(
            fields.map((field) => [field.name, fieldWords(field, true)]),
            style,
            width,
            '      ',
          ),
        ]),
    ...(yaml === undefined ? [] : [indented(yaml, '      ')]),
  ].join('\n');
}

function indented(text: string, indent: string): string {
  return escapeBlock(text)
    .map((line) => `${indent}${line}`)
    .join('\n');
}

/** Names on the left, what belongs to each wrapped beside it. */
function table(
  rows: readonly (readonly [name: string, words: string])[],
  style: Style,
  width: number,
  indent = '  ',
): string {
  const left = Math.min(Math.max(...rows.map(([name]) => name.length)), Math.floor(width / 3));
  return rows
    .map(([name, words]) => {
      const lines = wrapped(words, ' '.repeat(left + indent.length + 2), width);
      const label = `${indent}${style.strong(escapeText(name))}`;
      return name.length > left
        ? `${label}\n${lines}`
        : `${label}${' '.repeat(left - name.length + 2)}${lines.trimStart()}`;
    })
    .join('\n');
}

function wrapped(text: string, indent: string, width: number): string {
  return wrapProse(escapeText(text, 4000), width, indent).join('\n');
}
