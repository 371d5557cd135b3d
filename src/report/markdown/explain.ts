// How documentation reads as Markdown: one page, the list of kinds, and the whole reference that lies beside the
// schemas.
import type { BlockContent, PhrasingContent, RootContent } from 'mdast';
import type {
  Explained,
  ExplainedCode,
  ExplainedForm,
  ExplainedKind,
  ExplainedRule,
  ExplainedWord,
} from '../../model/explained.ts';
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
} from '../text/explain/format.ts';
import { code, fence, list, paragraph, prose, strong, text, writeMarkdown } from './text.ts';

/** One page. */
export function renderExplainedMarkdown(page: Explained): string {
  return writeMarkdown(pageParts(page, 1));
}

/** All kinds, and what is declared in each. */
export function renderExplainedKindsMarkdown(kinds: readonly ExplainedKind[]): string {
  return writeMarkdown([list(kinds.map((kind) => kindItem(kind, code(kind.kind))))]);
}

/** A diagnostic. */
export function renderExplainedCode(page: ExplainedCode): string {
  return writeMarkdown([
    heading(1, code(page.code)),
    paragraph(text(page.summary)),
    ...labelled(codeWords(page)),
    ...(page.example === undefined ? [] : [fence('', page.example.split('\n'))]),
  ]);
}

/** A rule of the platform. */
export function renderExplainedRule(page: ExplainedRule): string {
  return writeMarkdown([heading(1, code(page.rule)), ...labelled(ruleWords(page))]);
}

/** A word of plans. */
export function renderExplainedWord(page: ExplainedWord): string {
  return writeMarkdown([heading(1, code(page.word)), ...labelled(planWordWords(page))]);
}

function labelled(rows: readonly (readonly [label: string, words: string])[]): readonly RootContent[] {
  return rows.map(([label, words]) => paragraph(strong(label), text(': '), ...prose(words)));
}

export interface Reference {
  readonly kind: ExplainedKind;
  readonly page: Explained;
  /** Every field, in the order of the schema. */
  readonly fields: readonly Explained[];
}

/** The reference: `before` stands above it. */
export function renderReference(before: readonly RootContent[], kinds: readonly Reference[]): string {
  const link = (name: string): PhrasingContent => ({
    type: 'link',
    url: `#${name.toLowerCase()}`,
    children: [{ type: 'text', value: name }],
  });
  return writeMarkdown([
    ...before,
    heading(2, text('Kinds')),
    list(kinds.map(({ kind }) => kindItem(kind, link(kind.kind)))),
    ...kinds.flatMap(({ page, fields }) => [
      // The example of a whole manifest stands below as YAML, and the fields in a list of their own.
      ...pageParts({ ...page, fields: [], forms: [], examples: [] }, 2),
      heading(3, text(`Fields of ${page.kind}`)),
      list(fields.map(fieldItem)),
    ]),
  ]);
}

function heading(depth: 1 | 2 | 3, words: PhrasingContent): RootContent {
  return { type: 'heading', depth, children: [words] };
}

function kindItem({ description, inside }: ExplainedKind, name: PhrasingContent): readonly BlockContent[] {
  const objects = inside.map(({ kind, path }) => [paragraph(strong(kind), text(': '), code(path))]);
  return [
    paragraph(name, text(': '), ...prose(firstSentence(description))),
    ...(objects.length === 0 ? [] : [list(objects)]),
  ];
}

function pageParts(page: Explained, depth: 1 | 2): readonly RootContent[] {
  const { path, description, forms, inside, yaml } = page;
  const fields = fieldsBeside(page);
  return [
    heading(depth, depth === 1 ? code(path) : text(path)),
    ...(depth === 1 ? [paragraph(text(typeWords(page)))] : []),
    paragraph(...prose(description)),
    ...computedOf(page),
    ...(forms.length === 0 ? [] : [paragraph(strong('One of')), list(forms.map(formItem))]),
    ...(fields.length === 0
      ? []
      : [
          paragraph(strong(forms.length === 0 ? 'Fields' : 'Other fields')),
          list(fields.map((field) => [paragraph(code(field.name), text(': '), ...prose(fieldWords(field)))])),
        ]),
    ...(inside.length === 0
      ? []
      : [
          paragraph(strong('Objects in it')),
          list(
            inside.map((object) => [
              paragraph(strong(object.kind), text(', '), code(object.path), text(': '), ...prose(objectWords(object))),
            ]),
          ),
        ]),
    fence('yaml', yaml.split('\n')),
  ];
}

/** A form of a value: its fields below it, then lines for the manifest. */
function formItem(form: ExplainedForm): readonly BlockContent[] {
  const { name, fields, yaml } = form;
  return [
    paragraph(code(name), text(': '), ...prose(formWords(form))),
    ...(fields.length === 0
      ? []
      : [list(fields.map((field) => [paragraph(code(field.name), text(': '), ...prose(fieldWords(field, true)))]))]),
    ...(yaml === undefined ? [] : [fence('yaml', yaml.split('\n'))]),
  ];
}

function computedOf(page: Explained): readonly RootContent[] {
  const { change, object, profile } = page;
  const computed = [
    ...valueWords(page).map(([label, words]) => [paragraph(strong(label), text(': '), ...prose(words))]),
    ...(change === undefined ? [] : [[paragraph(...prose(changeWords(change)))]]),
    ...(object === undefined ? [] : [[paragraph(...prose(objectWords(object)))]]),
    ...(profile === undefined ? [] : [[paragraph(...prose(`A ${profile} can hold it.`))]]),
  ];
  return computed.length === 0 ? [] : [list(computed)];
}

/** A field on its own in a long list: everything in one paragraph. */
function fieldItem(page: Explained): readonly BlockContent[] {
  const { path, description, change } = page;
  const words = [
    description,
    ...valueWords(page).map(([label, value]) => `${label}: ${value}.`),
    ...(change === undefined ? [] : [changeWords(change)]),
  ].join(' ');
  return [paragraph(code(path), text(` (${typeWords(page)}): `), ...prose(words))];
}
