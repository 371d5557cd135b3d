// What the blocks of a tutorial mean: `console` is what is typed after `$ ` and what is printed below it; `yaml` that
// begins with `# a/file.yaml`, or `ts` with `// a/file.ts`, is a file to write; `diff` is an edit of a file that is
// there.
import { fromMarkdown } from 'mdast-util-from-markdown';
import type { Heading } from 'mdast';

export type Step =
  | { readonly is: 'command'; readonly command: string; readonly shown: readonly string[]; readonly line: number }
  | { readonly is: 'file'; readonly path: string; readonly text: string; readonly line: number }
  | {
      readonly is: 'edit';
      readonly path: string;
      readonly before: string;
      readonly after: string;
      readonly line: number;
    };

/**
 * What the blocks below one heading tell to do, in their order, up to the next heading of that level or a higher one.
 */
export function stepsBelow(markdown: string, heading: string): readonly Step[] {
  const { children } = fromMarkdown(markdown);
  const start = children.findIndex((node) => node.type === 'heading' && titleOf(node) === heading);
  const title = children[start];
  if (title?.type !== 'heading') throw new Error(`no heading ${heading}`);
  const rest = children.slice(start + 1);
  const end = rest.findIndex((node) => node.type === 'heading' && node.depth <= title.depth);
  return rest.slice(0, end === -1 ? undefined : end).flatMap((node) => {
    if (node.type !== 'code') return [];
    const line = (node.position?.start.line ?? 0) + 1;
    if (node.lang === 'console') return commandsOf(node.value, line);
    if (node.lang === 'yaml' || node.lang === 'ts') return [fileOf(node.value, line)];
    if (node.lang === 'diff') return [editOf(node.value, line)];
    throw new Error(`line ${line}: a block of ${node.lang ?? 'nothing'} says nothing to do`);
  });
}

function titleOf({ children }: Heading): string {
  return children.map((child) => ('value' in child ? child.value : '')).join('');
}

function commandsOf(text: string, first: number): readonly Step[] {
  const steps: { command: string; shown: string[]; line: number }[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const last = steps.at(-1);
    if (line.startsWith('$ ')) steps.push({ command: line.slice(2), shown: [], line: first + index });
    else if (last === undefined) throw new Error(`line ${first + index}: printed before anything was typed`);
    // A line that ends in a backslash goes on, as in a shell.
    else if (last.shown.length === 0 && last.command.endsWith('\\')) last.command += `\n${line.replace(/^> /, '')}`;
    else last.shown.push(line);
  }
  // A blank line before the next `$` is for the eye.
  for (const { shown } of steps) while (shown.at(-1) === '') shown.pop();
  return steps.map((step) => ({ is: 'command', ...step }));
}

function fileOf(text: string, line: number): Step {
  const path = /^(?:#|\/\/) (\S+\.(?:yaml|ts))\b/.exec(text)?.[1];
  if (path === undefined) throw new Error(`line ${line}: the block does not begin with the name of its file`);
  return { is: 'file', path, text: `${text}\n`, line };
}

function editOf(text: string, line: number): Step {
  const [head = '', ...lines] = text.split('\n');
  const path = /^--- (\S+)$/.exec(head)?.[1];
  if (path === undefined) throw new Error(`line ${line}: the block does not begin with --- and the name of its file`);
  const keep = (rotationToken: string): string =>
    lines
      .filter((one) => one.startsWith(' ') || one.startsWith(rotationToken))
      .map((one) => `${one.slice(1)}\n`)
      .join('');
  return { is: 'edit', path, before: keep('-'), after: keep('+'), line };
}

/**
 * Whether what was printed is what is shown: `...` stands for whatever varies, alone on a line for any number of lines.
 */
export function isAsShown(printed: string, shown: readonly string[]): boolean {
  const lines = shown.map((line) =>
    line.trim() === '...' ? '(?:.*\\n)*?' : `${line.trimEnd().split('...').map(escaped).join('.*?')}[ ]*\\n`,
  );
  return new RegExp(`^${lines.join('')}$`).test(printed === '' ? '' : `${printed}\n`);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
