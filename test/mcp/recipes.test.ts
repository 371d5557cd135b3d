// The recipes of docs/recipes.md through `hostwright serve mcp`: an agent reads the page, proposes what its YAML says, and plans; a
// person applies; the agent sees what became of it. What the page does by a command of its own, an agent cannot do.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { runCommand } from '../support/processes/command.ts';
import { editedFiles, recipes, RECIPES } from '../support/recipes.ts';
import { startAgent } from './client.ts';
import { openFolder } from '../support/closing.ts';

const isWritten = (title: string): boolean => recipes.get(title)?.some(([, language]) => language === 'yaml') === true;
const env = { ANNA_PASSWORD: 'a-new-pass-word' };

async function start(scenario: string | undefined) {
  const folder = await openFolder();
  const sandbox: Sandbox = await startSandbox({
    ...(scenario !== undefined && { scenario }),
    // A second passes with each request, so that a value is always read less than 5 s before it is written.
    hooks: { before: () => sandbox.clock.advance(1_000) },
  });
  onTestFinished(() => sandbox.close());
  const person = async (...words: readonly string[]): Promise<string> => {
    const ended = await runCommand(words, { cwd: folder, url: sandbox.url, env, clock: sandbox.clock });
    expect([0, 2, 3], ended.stdout + ended.stderr).toContain(ended.code);
    return ended.stdout + ended.stderr;
  };
  await person('init', '--account', 'acc-acme', '--api-url', sandbox.url, '--start', 'export', '--yes');
  const agent = await startAgent({ account: { cwd: folder, token: 'sandbox-api-key', env } });
  return { folder, sandbox, person, agent };
}

it.each(Object.keys(RECIPES).filter(isWritten))('%s: proposed by an agent, applied by a person', async (title) => {
  const { scenario, before, without, done } = RECIPES[title] ?? {};
  const { folder, sandbox, person, agent } = await start(scenario);
  const [page = ''] = [await agent.read('hostwright://docs/recipes.md')];
  const [, text = ''] = /^```yaml\n(.*?)^```/ms.exec(page.slice(page.indexOf(`## ${title}\n`))) ?? [];
  const propose = async (yaml: string): Promise<void> => {
    const edited = await editedFiles(folder, yaml, without);
    // Where secrets may come from is no manifest: a person says it.
    const workspace = edited.get('hostwright.yaml');
    if (workspace !== undefined) await writeFile(join(folder, 'hostwright.yaml'), workspace);
    const files = [...edited].flatMap(([file, one]) => (file === 'hostwright.yaml' ? [] : [{ file, text: one }]));
    expect(await agent.document('propose', { files })).toMatchObject({ written: true });
  };
  const flags = ['--yes', '--allow-deletes', '3', '--allow-charges', '1'];
  if (before !== undefined) {
    await propose(before(text));
    await person('apply', ...flags);
  }
  await propose(text);
  // To ask for a price is a question, though it is sent by POST.
  const writes = () => sandbox.requests.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/check'));
  const written = writes().length;
  expect(await agent.document('validate')).toMatchObject({ outcome: 'done' });
  const { actions } = await agent.document('plan');
  expect(actions).not.toEqual([]);
  expect(writes()).toHaveLength(written);
  const printed = await person('apply', ...flags);
  await done?.(sandbox, printed);
  expect(await agent.document('drift')).toMatchObject({ drift: [] });
  expect(await agent.document('plan')).toMatchObject({ actions: [] });
  const [first] = (await agent.document('history')).runs as readonly { readonly actions: readonly object[] }[];
  expect(first?.actions).not.toEqual([]);
});

it('has no tool for those that are commands: the agent looks up what a person types, and sees what came of it', async () => {
  const commands = Object.keys(RECIPES).filter((title) => !isWritten(title));
  expect(commands).toEqual(['Restore a site', 'Read a log', 'Purge the cache']);
  const { person, agent } = await start(undefined);
  const { tools } = await agent.client.listTools();
  expect(tools.filter(({ name }) => /site|restore|backup|log|purge/.test(name))).toEqual([]);
  expect(await agent.read('hostwright://docs/recipes.md')).toContain('hostwright run backup Site/shop');
  await person('run', 'backup', 'Site/shop', '--volume', 'content', '--name', 'before-restore', '--yes');
  const { items } = (await agent.document('get', { kind: 'archives', site: 'shop' })) as {
    readonly items: readonly { readonly id: string; readonly values: Readonly<Record<string, unknown>> }[];
  };
  const archive = items.find(({ values }) => Object.values(values).includes('before-restore'));
  const printed = await person(
    'run',
    'restore',
    'Site/shop',
    '--volume',
    'content',
    '--archive',
    archive?.id ?? '',
    '--yes',
  );
  expect(printed).toContain('is restored from `before-restore`');
});
