// The README that lies beside the schemas: how an editor is told of them, then every kind and field as `hostwright
// explain` has them.
import type { Block } from '../src/report/blocks/block.ts';
import { chapter, code, paragraph } from '../src/report/blocks/block.ts';
import type { Reference } from '../src/report/blocks/explain.ts';
import { referenceBlocks } from '../src/report/blocks/explain.ts';
import { writeMarkdownPage } from '../src/report/page.ts';
import { explain, explainAll, explainKinds } from '../src/usecases/explain/explain.ts';
import type { Schemas } from '../src/usecases/explain/explain.ts';

export function referenceOf(schemas: Schemas): string {
  const kinds = explainKinds(schemas).map((kind): Reference => {
    const page = explain(schemas, kind.kind);
    if ('problem' in page) throw new Error(page.problem.detail);
    // The head is the same in all of them.
    return {
      kind,
      page,
      fields: explainAll(schemas, kind.kind).filter(
        ({ path }) => !/\.(apiVersion|kind|spec|lifecycle.*|metadata)$/.test(path),
      ),
    };
  });
  return `<!-- Generated from the schemas by \`npm run generate\`. Do not edit. -->\n\n${writeMarkdownPage([...introduction(), ...referenceBlocks(kinds)])}\n`;
}

function introduction(): readonly Block[] {
  return [
    chapter('Manifests: schemas and reference', 1, [
      paragraph(
        'Each kind of manifest has a JSON Schema here, and `hostwright.schema.json` is all of them in one: it picks by `kind`. `hostwright explain` shows what this page has, one field at a time; `hostwright explain --schema` prints a schema.',
      ),
      paragraph(
        'Schemas of what Hostwright writes lie beside them: `plan` (of `plan` and `drift`), `outcome` (of `apply`), `doctor`, `get`, `act` (of what is done by `run`, `get logs` and `get metrics`, and of `github` and `gitlab`), `notification` and `question` (what a coding agent gets where a person would be asked).',
      ),
    ]),
    chapter('In an editor', 2, [
      paragraph(
        'The schemas come with the package. To have them in a repository of your own, write them there once, and again after an upgrade:',
      ),
      ...code('sh', ['hostwright explain --schema --out .hostwright/schemas']),
      paragraph(
        'An editor with the YAML language server (VS Code with the extension `redhat.vscode-yaml`, Neovim, Helix, Emacs) takes a first line in the manifest:',
      ),
      ...code('yaml', ['# yaml-language-server: $schema=../.hostwright/schemas/hostwright.schema.json']),
      paragraph('Or, for all manifests at once, in VS Code in `.vscode/settings.json`:'),
      ...code('json', [
        '{',
        '  "yaml.schemas": {',
        '    ".hostwright/schemas/hostwright.schema.json": ["sites/**/*.yaml", "domains/**/*.yaml", "hostwright.yaml"]',
        '  }',
        '}',
      ]),
      paragraph(
        'In the editors of JetBrains: Settings, Languages and Frameworks, Schemas and DTDs, JSON Schema Mappings; add `hostwright.schema.json` with JSON Schema version 2020-12 and the folders of the manifests.',
      ),
    ]),
    chapter('How to read it', 2, [
      paragraph(
        '`[]` stands for each item of a list. A field that is absent is left as it is, and a section that is absent is neither managed nor read, unless its text says otherwise. Every manifest begins with this:',
      ),
      ...code('yaml', [
        'apiVersion: hostwright/v1',
        'kind: Site',
        'metadata:',
        '  name: shop # the key of the object in plans, references and the ledger; never sent',
        'lifecycle: # may be left out',
        '  state: present # absent: the live object is deleted, only with --allow-deletes',
        '  protect: false # true: refuse any plan that deletes it or charges for it',
        '  ignore: [] # JSON pointers into spec that are left alone',
        'spec: {}',
      ]),
    ]),
  ];
}
