// The README that lies beside the schemas: how an editor is told of them, then every kind and field as `hostwright
// explain` has them.
import type { RootContent } from 'mdast';
import type { Reference } from '../src/report/markdown/explain.ts';
import { renderReference } from '../src/report/markdown/explain.ts';
import { fence, paragraph, prose, text } from '../src/report/markdown/text.ts';
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
  return `<!-- Generated from the schemas by \`npm run generate\`. Do not edit. -->\n\n${renderReference(introduction(), kinds)}\n`;
}

const heading = (depth: 1 | 2 | 3, value: string): RootContent => ({ type: 'heading', depth, children: [text(value)] });
const says = (value: string): RootContent => paragraph(...prose(value));

function introduction(): readonly RootContent[] {
  return [
    heading(1, 'Manifests: schemas and reference'),
    says(
      'Each kind of manifest has a JSON Schema here, and `hostwright.schema.json` is all of them in one: it picks by `kind`. `hostwright explain` shows what this page has, one field at a time; `hostwright schema` prints a schema.',
    ),
    says(
      'Schemas of what Hostwright writes lie beside them: `plan` (of `plan` and `drift`), `outcome` (of `apply`), `doctor`, `get`, `act` (of what is done by `site`, `registration`, `order`, `contact` and `shield`, and of `github` and `gitlab`) and `notification`.',
    ),
    heading(2, 'In an editor'),
    says(
      'The schemas come with the package. To have them in a repository of your own, write them there once, and again after an upgrade:',
    ),
    fence('sh', ['hostwright schema --out .hostwright/schemas']),
    says(
      'An editor with the YAML language server (VS Code with the extension `redhat.vscode-yaml`, Neovim, Helix, Emacs) takes a first line in the manifest:',
    ),
    fence('yaml', ['# yaml-language-server: $schema=../.hostwright/schemas/hostwright.schema.json']),
    says('Or, for all manifests at once, in VS Code in `.vscode/settings.json`:'),
    fence('json', [
      '{',
      '  "yaml.schemas": {',
      '    ".hostwright/schemas/hostwright.schema.json": ["sites/**/*.yaml", "domains/**/*.yaml", "hostwright.yaml"]',
      '  }',
      '}',
    ]),
    says(
      'In the editors of JetBrains: Settings, Languages and Frameworks, Schemas and DTDs, JSON Schema Mappings; add `hostwright.schema.json` with JSON Schema version 2020-12 and the folders of the manifests.',
    ),
    heading(2, 'How to read it'),
    says(
      '`[]` stands for each item of a list. A field that is absent is left as it is, and a section that is absent is neither managed nor read, unless its text says otherwise. Every manifest begins with this:',
    ),
    fence('yaml', [
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
  ];
}
