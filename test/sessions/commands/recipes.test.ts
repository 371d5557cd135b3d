// docs/recipes.md, followed from the page: the YAML is written into the manifests of an exported account and applied, the
// commands are run, and the account is looked at.
import { expect, it } from 'vitest';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { runCommand } from '../../support/processes/command.ts';
import type { Ended } from '../../support/processes/run-here.ts';
import { editedFiles, recipes, RECIPES } from '../../support/recipes.ts';
import { closing, openFolder, writeFiles } from '../../support/closing.ts';

it('knows every recipe of the page that shows something to write or run', () => {
  expect([...recipes.keys()]).toEqual(Object.keys(RECIPES));
});

it.each(Object.entries(RECIPES))('%s', async (title, { scenario, id, before, without, done }) => {
  const folder = await openFolder();
  // A second passes with each request, so that a value is always read less than 5 s before it is written.
  let isFollowed = false;
  const one = closing(
    await startSandbox({
      ...(scenario !== undefined && { scenario }),
      hooks: {
        before: ({ path }) => {
          one.clock.advance(1_000);
          if (isFollowed && path.includes('/logs/')) (process.listeners('SIGINT').at(-1) as () => void)();
        },
      },
    }),
  );
  const edit = async (text: string): Promise<void> =>
    writeFiles(folder, Object.fromEntries(await editedFiles(folder, text, without)));
  const env = { ANNA_PASSWORD: 'a-new-pass-word' };
  const run = (...words: readonly string[]): Promise<Ended> =>
    runCommand(words, { cwd: folder, url: one.url, env, clock: one.clock });
  let printed = '';
  const ends = async (...words: readonly string[]): Promise<void> => {
    // Somebody who follows a log ends it with Ctrl-C.
    isFollowed = words.includes('--watch');
    const { code, stdout, stderr } = await run(...words);
    printed += `${words.join(' ')}\n${stdout}${stderr}`;
    expect(isFollowed ? [130] : [0, 2, 3], printed).toContain(code);
  };
  await ends('init', '--account', 'acc-acme', '--api-url', one.url, '--start', 'export', '--yes');
  const blocks = recipes.get(title) ?? [];
  for (const [, language, text = ''] of blocks) {
    if (language === 'yaml') {
      if (before !== undefined) {
        await edit(before(text));
        await ends('apply', '--yes');
      }
      await edit(text);
      await ends('plan');
      const isAppliedByThePage = blocks.some(([, , other = '']) => other.startsWith('hostwright apply'));
      if (!isAppliedByThePage) await ends('apply', '--yes', '--allow-deletes', '3');
    } else
      for (const line of text.trim().split('\n')) {
        const words = line
          .replace('ID', id?.(printed) ?? 'ID')
          .split(' ')
          .slice(1);
        await ends(...words, ...(/^(apply|run)\b/.test(words.join(' ')) ? ['--yes'] : []));
      }
  }
  await done(one, printed);
  await ends('plan');
  expect(printed.slice(printed.lastIndexOf('plan\n'))).toMatch(/No changes|no changes/);
});
