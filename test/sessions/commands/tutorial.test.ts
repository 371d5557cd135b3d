// The tutorial of docs/getting-started.md, typed line by line into a shell, from the package's tarball in an empty folder: every
// command ends well, and prints what the page shows.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { BashSession } from '../../support/processes/bash-session.ts';
import { startBash } from '../../support/processes/bash-session.ts';
import type { Step } from '../../support/console-blocks.ts';
import { isAsShown, stepsBelow } from '../../support/console-blocks.ts';
import type { Installed } from '../../support/processes/installed.ts';
import { noBash, packed } from '../../support/processes/installed.ts';
import { freePort } from '../../support/servers/plain.ts';

const PAGE = join(import.meta.dirname, '../../../docs/getting-started.md');
/** The port that the page names; a free one takes its place here. */
const PORT = '4010';

let ground: Installed | undefined;
let shell: BashSession | undefined;
afterEach(async () => {
  await shell?.close();
  await ground?.close();
  [shell, ground] = [undefined, undefined];
});

async function follow(step: Step, folder: string, type: BashSession['type']): Promise<void> {
  const where = `docs/getting-started.md:${step.line}`;
  if (step.is === 'command') {
    const { printed, code } = await type(step.command, (text) => isAsShown(text, step.shown));
    const asShown = isAsShown(printed, step.shown);
    expect({ where, command: step.command, code, printed: asShown ? 'as shown' : printed }).toEqual({
      where,
      command: step.command,
      code: 0,
      printed: asShown ? 'as shown' : step.shown.join('\n'),
    });
    return;
  }
  const path = join(folder, step.path);
  if (step.is === 'file') {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, step.text);
    return;
  }
  const parts = (await readFile(path, 'utf8')).split(step.before);
  expect(parts, `${where}: what is edited stands in ${step.path} once`).toHaveLength(2);
  await writeFile(path, parts.join(step.after));
}

describe('the tutorial', () => {
  it.skipIf(noBash !== undefined)(
    `runs from the tarball in an empty folder, and prints what it shows${noBash === undefined ? '' : ` (skipped: ${noBash})`}`,
    async () => {
      const steps = stepsBelow(
        (await readFile(PAGE, 'utf8')).replaceAll(PORT, String(await freePort())),
        'Ten minutes with the sandbox',
      );
      expect(steps.filter(({ is }) => is === 'command').length).toBeGreaterThan(10);
      ground = await packed();
      shell = startBash(ground.folder, { ...ground.env });
      for (const step of steps) await follow(step, ground.folder, shell.type);
    },
  );
});

describe('blocks of a tutorial', () => {
  const text =
    '# T\n\n## One\n\n```console\n$ a \\\n  b\nx ... y\n...\n$ c\n```\n\n```yaml\n# a/b.yaml\nkind: Site\n```\n\n```diff\n--- a/b.yaml\n kind: Site\n-a: 1\n+a: 2\n```\n\n## Two\n\n```console\n$ d\n```\n';

  it('are commands with what they print, files and edits, of one section', () => {
    expect(stepsBelow(text, 'One')).toEqual([
      { is: 'command', command: 'a \\\n  b', shown: ['x ... y', '...'], line: 6 },
      { is: 'command', command: 'c', shown: [], line: 10 },
      { is: 'file', path: 'a/b.yaml', text: '# a/b.yaml\nkind: Site\n', line: 14 },
      { is: 'edit', path: 'a/b.yaml', before: 'kind: Site\na: 1\n', after: 'kind: Site\na: 2\n', line: 19 },
    ]);
    expect(() => stepsBelow(text, 'Three')).toThrow('no heading Three');
    expect(() => stepsBelow('# T\n\n```sh\nls\n```\n', 'T')).toThrow('line 4: a block of sh');
  });

  it.each([
    ['', [], true],
    ['a', [], false],
    ['', ['...'], true],
    ['a (1.5 s)', ['a (... s)'], true],
    ['a (1.5 s)', ['a (...)', 'b'], false],
    ['a\nb\nc\nd', ['a', '...', 'd'], true],
    ['a\nb\nc\nd', ['a', '...', 'c'], false],
    ['a+b', ['a.b'], false],
  ])('show %j as %j: %s', (printed, shown, expected) => {
    expect(isAsShown(printed, shown)).toBe(expected);
  });
});
