// Documentation as blocks: a page of a kind or a field, of a diagnostic, of a rule or a word of plans, the list of kinds,
// and the whole reference that lies beside the schemas.
import type { Explained, ExplainedCode, ExplainedKind, ExplainedRule, ExplainedWord } from '../../model/explained.ts';
import { escapeBlock, escapeText } from '../view/escape.ts';
import type { Block, Item, Line } from './block.ts';
import { chapter, code, listOf, marked, paragraph } from './block.ts';
import {
  changeWords,
  fieldsBeside,
  fieldWords,
  firstSentence,
  formWords,
  objectWords,
  typeWords,
  valueWords,
} from './explain-words.ts';

/** What `explain` answers. */
export type Answer =
  | { readonly kinds: readonly ExplainedKind[] }
  | { readonly page: Explained }
  | { readonly code: ExplainedCode }
  | { readonly rule: ExplainedRule }
  | { readonly word: ExplainedWord };

interface Where {
  /** Room is scarce, and columns can be read. */
  readonly isTerminal: boolean;
}

type Rows = readonly (readonly [label: string, words: string | undefined])[];

export function explainBlocks(answer: Answer, where: Where): readonly Block[] {
  if ('kinds' in answer) return kindList(answer.kinds, where);
  if ('page' in answer) return pageBlocks(answer.page, 1, where);
  if ('code' in answer) {
    const { code: id, summary, why, fix, example } = answer.code;
    const shown = example === undefined ? [] : [chapter('Example', 2, code('', escapeBlock(example)))];
    return [
      ...labelled(id, summary, [
        ['Why', why],
        ['What to do', fix],
      ]),
      ...shown,
    ];
  }
  if ('rule' in answer) {
    const { rule, says, means, fix } = answer.rule;
    return labelled(rule, 'a rule of the platform', [
      ['Rule', says],
      ['For you', means],
      ['What to do', fix],
    ]);
  }
  const { word, says, fix } = answer.word;
  return labelled(word, 'a word of plans', [
    ['Means', says],
    ['What to do', fix],
  ]);
}

export interface Reference {
  readonly kind: ExplainedKind;
  readonly page: Explained;
  /** Every field, in the order of the schema. */
  readonly fields: readonly Explained[];
}

/** All kinds with all of their fields, for a forge. */
export function referenceBlocks(kinds: readonly Reference[]): readonly Block[] {
  const where = { isTerminal: false };
  return [
    chapter(
      'Kinds',
      2,
      kindList(
        kinds.map(({ kind }) => kind),
        where,
        true,
      ),
    ),
    ...kinds.flatMap(({ page, fields }) => [
      // The example of a whole manifest stands below as YAML, and the fields in a list of their own.
      ...pageBlocks({ ...page, fields: [], forms: [], examples: [] }, 2, where),
      chapter(`Fields of ${page.kind}`, 3, [{ is: 'list', items: fields.map(fieldItem) }]),
    ]),
  ];
}

function labelled(title: string, about: string, rows: Rows): readonly Block[] {
  return [chapter(title, 1, terms(rows), about)];
}

/** Labels, each with its words. */
function terms(rows: Rows): readonly Block[] {
  return listOf(
    rows.flatMap(([label, text]) =>
      text === undefined ? [] : [{ cells: [[marked('strong', label)]], line: words(text) }],
    ),
  );
}

function kindList(kinds: readonly ExplainedKind[], { isTerminal }: Where, asLinks = false): readonly Block[] {
  return listOf(
    kinds.flatMap(({ kind, description, inside }): readonly Item[] => {
      const name = asLinks ? { ...marked('link', kind), href: `#${kind.toLowerCase()}` } : marked('name', kind);
      const objects = inside.map((object) => ({
        cells: [[...(isTerminal ? ['  '] : []), marked('strong', object.kind)]],
        line: [marked('code', object.path)],
      }));
      const item = { cells: [[name]], line: words(firstSentence(description)) };
      // One column for all of them.
      return isTerminal ? [item, ...objects] : [{ ...item, blocks: listOf(objects) }];
    }),
  );
}

function pageBlocks(page: Explained, depth: 1 | 2, where: Where): readonly Block[] {
  const { path, description, change, object, profile, forms, inside, yaml } = page;
  const below = depth === 1 ? 2 : 3;
  const fields = fieldsBeside(page);
  const part = (title: string, blocks: readonly Block[]): readonly Block[] =>
    blocks.length === 0 ? [] : [chapter(title, below, blocks)];
  const values = terms([
    ...valueWords(page),
    ['Change', change && changeWords(change)],
    ['Object', object && objectWords(object)],
    ['Shared', profile && `A ${profile} can hold it.`],
  ]);
  return [
    chapter(path, depth, [paragraph(...words(description)), ...values], depth === 1 ? typeWords(page) : undefined),
    ...part(
      'One of',
      listOf(
        forms.map((form) => ({
          cells: [[marked('name', escapeText(form.name))]],
          line: words(formWords(form)),
          blocks: [
            ...fieldList(form.fields, true),
            ...(form.yaml === undefined ? [] : code('yaml', escapeBlock(form.yaml))),
          ],
        })),
      ),
    ),
    ...part(forms.length === 0 ? 'Fields' : 'Other fields', fieldList(fields)),
    ...part(
      'Objects in it',
      listOf(
        inside.map((one) => ({
          cells: [[marked('strong', one.kind)]],
          line: [marked('code', one.path), ...(where.isTerminal ? [] : ['. ', ...words(objectWords(one))])],
        })),
      ),
    ),
    ...part('In a manifest', code('yaml', escapeBlock(yaml))),
  ];
}

/** `whole`: with all of their descriptions. */
function fieldList(fields: Explained['fields'], whole = false): readonly Block[] {
  return listOf(
    fields.map((field) => ({
      cells: [[marked('name', escapeText(field.name))]],
      line: words(fieldWords(field, whole)),
    })),
  );
}

/** A field on its own in a long list: everything in one paragraph. */
function fieldItem(page: Explained): Item {
  const { path, description, change } = page;
  const told = [
    description,
    ...valueWords(page).map(([label, value]) => `${label}: ${value}.`),
    ...(change === undefined ? [] : [changeWords(change)]),
  ].join(' ');
  return { line: [marked('name', path), ` (${typeWords(page)}): `, ...words(told)] };
}

function words(text: string): Line {
  return [escapeText(text, 4000)];
}
