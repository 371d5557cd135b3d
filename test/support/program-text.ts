// Writes the text of a program that declares the given manifests as literals.
import type { JsonObject } from '../../src/model/json.ts';

/** Returns a program with one construct per manifest. `props` are the spec plus the fields of `metadata` and `lifecycle`. */
export function programTextOf(
  manifests: readonly { readonly kind: string; readonly name: string; readonly props: JsonObject }[],
): string {
  const kinds = [...new Set(manifests.map(({ kind }) => kind))];
  return [
    `import { ${['App', ...kinds].join(', ')} } from 'hostwright/constructs';`,
    'const app = new App();',
    ...manifests.map(({ kind, name, props }) => `new ${kind}(app, ${JSON.stringify(name)}, ${JSON.stringify(props)});`),
    'export default app;',
    '',
  ].join('\n');
}
