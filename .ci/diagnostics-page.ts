// The diagnostics that the sources have: every code with its constant summary and what is printed with it. They are
// quoted in `docs/diagnostics.md`, which is written by hand otherwise.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';

export interface DiagnosticCode {
  readonly code: string;
  /** One of the sources that have it. */
  readonly file: string;
  /** All that are written for this code: there has to be one. */
  readonly summaries: readonly string[];
  readonly remedy?: string;
}

const CODE = /^HW\d{4}$/;

/** Every source that is written by hand. */
export async function sourcesIn(root: string): Promise<readonly { readonly file: string; readonly text: string }[]> {
  const names = await readdir(path.join(root, 'src'), { recursive: true });
  const files = names
    .filter((name) => name.endsWith('.ts') && !name.includes('generated'))
    .map((name) => `src/${name}`)
    .sort();
  return Promise.all(files.map(async (file) => ({ file, text: await readFile(path.join(root, file), 'utf8') })));
}

/** Every code that any source names, in order. */
export async function diagnosticCodes(root: string): Promise<readonly DiagnosticCode[]> {
  const found = new Map<
    string,
    { readonly file: string; readonly table: Set<string>; readonly elsewhere: Set<string>; remedy?: string }
  >();
  for (const { file, text } of await sourcesIn(root)) {
    const visit = (node: ts.Node): void => {
      const code = nameOf(node);
      if (code !== undefined && CODE.test(code)) {
        const entry = found.get(code) ?? { file, table: new Set<string>(), elsewhere: new Set<string>() };
        found.set(code, entry);
        const { summary, remedy } = textsOf(node);
        // The name of a property stands in a table, which says it once and for all.
        const reported = ts.isIdentifier(node) ? entry.table : entry.elsewhere;
        // A single word is about the code, and not its summary.
        if (summary?.includes(' ') === true) reported.add(summary);
        if (remedy !== undefined) entry.remedy = remedy;
      }
      ts.forEachChild(node, visit);
    };
    // Parsing takes most of the time, and most sources name no code.
    if (/\bHW\d{4}\b/.test(text)) visit(ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true));
  }
  return [...found]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([code, { file, table, elsewhere, remedy }]) => ({
      code,
      file,
      summaries: [...(table.size > 0 ? table : elsewhere)],
      ...(remedy !== undefined && { remedy }),
    }));
}

/** The page, with what the program prints with each code as a quote below its heading. */
export function diagnosticsPage(page: string, codes: readonly DiagnosticCode[]): string {
  const quotes = new Map(
    codes.map(({ code, summaries, remedy = '' }) => [code, `> ${summaries.join('; ')}. ${remedy}`.trimEnd()]),
  );
  return page.replaceAll(
    /^### (HW\d{4})\n\n(?:> .*\n\n)?/gm,
    (_, code: string) => `### ${code}\n\n${quotes.get(code)}\n\n`,
  );
}

/** The text of a plain string, or the name of a property. */
function nameOf(node: ts.Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  return ts.isIdentifier(node) && ts.isPropertyAssignment(node.parent) && node.parent.name === node
    ? node.text
    : undefined;
}

/** A plain string, also where it is a constant of the same file. */
function valueOf(node: ts.Node | undefined): string | undefined {
  if (node === undefined || !ts.isIdentifier(node)) return nameOf(node);
  const constants = node
    .getSourceFile()
    .statements.flatMap((statement) =>
      ts.isVariableStatement(statement) ? statement.declarationList.declarations : [],
    );
  return nameOf(constants.find(({ name }) => ts.isIdentifier(name) && name.text === node.text)?.initializer);
}

interface Texts {
  readonly summary?: string;
  readonly remedy?: string;
}

function textsOf(node: ts.Node): Texts {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent)) {
    const { initializer } = parent;
    if (parent.name !== node) return isNamed(parent, 'code') ? fieldsOf(parent.parent) : {};
    if (ts.isObjectLiteralExpression(initializer)) return fieldsOf(initializer);
    return texts(...(ts.isCallExpression(initializer) ? initializer.arguments : [initializer]));
  }
  if (!ts.isCallExpression(parent)) return {};
  const next = nameOf(parent.arguments[parent.arguments.indexOf(node as ts.Expression) + 1]);
  // A sentence is a detail; its summary stands in a table.
  return next === undefined || next === '' || next.endsWith('.') ? {} : { summary: next };
}

function isNamed(property: ts.ObjectLiteralElementLike, name: string): boolean {
  return property.name !== undefined && ts.isIdentifier(property.name) && property.name.text === name;
}

function fieldsOf({ properties }: ts.ObjectLiteralExpression): Texts {
  const value = (name: string): ts.Node | undefined => {
    const property = properties.find((one) => isNamed(one, name));
    return property !== undefined && ts.isPropertyAssignment(property) ? property.initializer : undefined;
  };
  return texts(value('summary'), value('remedy'));
}

function texts(first?: ts.Node, second?: ts.Node): Texts {
  const [summary, remedy] = [valueOf(first), valueOf(second)];
  return { ...(summary !== undefined && { summary }), ...(remedy !== undefined && { remedy }) };
}
