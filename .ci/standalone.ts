// Validators as modules that need no schema library.
import path from 'node:path';
import { build } from 'esbuild';

type Schema = Readonly<Record<string, unknown>>;

const root = path.resolve(import.meta.dirname, '..');

/** A module of generated code with what it imports in it; `folder`: where it finds that. */
export async function bundled(contents: string, folder: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: path.join(root, folder), loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    charset: 'ascii',
    legalComments: 'none',
    treeShaking: true,
    minifySyntax: true,
    absWorkingDir: root,
    banner: { js: '// Generated from schemas/. Do not edit: run `npm run generate`.' },
  });
  return outputFiles[0]?.text ?? '';
}

/** What a schema says to people; a validator that has it in it takes longer to load. */
const WORDS = ['title', 'description', 'examples', 'patternErrorMessage', 'maxItemsErrorMessage'];
/** Keywords whose keys are names. */
const NAMED = ['properties', '$defs'];

/** A schema as a validator needs it. */
export function withoutWords(schema: unknown): Schema {
  const below = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(below);
    return typeof value === 'object' && value !== null ? withoutWords(value) : value;
  };
  return Object.fromEntries(
    Object.entries(schema as Schema)
      .filter(([keyword]) => !WORDS.includes(keyword))
      .map(([keyword, value]) => [
        keyword,
        NAMED.includes(keyword)
          ? Object.fromEntries(Object.entries(value as Schema).map(([name, item]) => [name, below(item)]))
          : below(value),
      ]),
  );
}
