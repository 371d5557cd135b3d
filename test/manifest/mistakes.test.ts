// Slips that people make in YAML, one at a time, in the manifests of the examples. The advice of `validate` is followed
// to the letter, and then `validate` is content. A slip has one message, and that is about the slip.
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { runHere } from '../support/processes/run-here.ts';

const EXAMPLES = path.join(import.meta.dirname, '../../examples');

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'hostwright-mistakes-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Short names of the manifests. */
const FILES = {
  shop: 'small-agency/sites/shop.yaml',
  docs: 'small-agency/sites/docs-and-blog.yaml',
  rules: 'hardened-shop/sites/shop.yaml',
  shield: 'shielded-shop/sites/new-shop.yaml',
  mail: 'mail-for-a-company/mail/shop.yaml',
  name: 'a-new-domain/domains/acme-widgets.yaml',
  launch: 'a-site-from-nothing/sites/launch.yaml',
  panel: 'a-panel-account/accounts/accounts.yaml',
  caching: 'caching-only/sites/all.yaml',
  user: 'an-agency-onboarding-a-client/users/client-a.yaml',
  profiles: 'fifty-sites-two-profiles/profiles/profiles.yaml',
} as const;

interface Slip {
  readonly file: keyof typeof FILES;
  /** What is written in the example, and what somebody writes instead. */
  readonly write: readonly [right: string, wrong: string];
  readonly says: string;
}

const slip = (file: Slip['file'], right: string, wrong: string, says: string): Slip => ({
  file,
  write: [right, wrong],
  says,
});

/** A line, or what begins with it, indented by so many spaces. */
const indented = (file: Slip['file'], right: string, by: number): Slip =>
  slip(
    file,
    right,
    right.replace(/^ */, ' '.repeat(by)),
    `This line is indented by ${by} space${by === 1 ? '' : 's'}, its neighbours by ${indentOf(right)}.`,
  );
/** No space after the first colon. */
const withoutSpace = (file: Slip['file'], right: string): Slip =>
  slip(
    file,
    right,
    right.replace(': ', ':'),
    `There is no space after the colon of \`${right.slice(0, right.indexOf(':'))}\`.`,
  );
/** A display name as somebody writes it. */
const named = (name: string, says: string): Slip => slip('shop', 'spec:', `spec:\n  name: ${name}`, says);

const SLIPS: readonly Slip[] = [
  // Indentation.
  indented('shop', '    cacheExpiration', 3),
  indented('shop', '    cacheExpiration', 5),
  indented('shop', '    cacheExpiration', 6),
  indented('shop', '    smartCache', 3),
  indented('shop', '    smartCache', 6),
  slip('shop', '    cookieVary', '  cookieVary', '`cookieVaryParameters` belongs below `spec.caching`.'),
  indented('shop', '  caching:', 3),
  indented('shop', '  caching:', 1),
  indented('shop', '  primaryDomain', 1),
  indented('shop', 'spec:', 1),
  indented('shop', 'kind: Site', 1),
  indented('shop', '    - www', 3),
  indented('shop', '    - { hostname', 6),
  indented('shop', '    - shop.example.com', 2),
  indented('rules', '    - name: force ssl', 3),
  indented('rules', '      action: { forceSsl', 5),
  indented('rules', '      action: { forceSsl', 4),
  indented('rules', '      match: all', 8),
  indented('rules', '    nginx: false\n    cdn: true', 3),
  indented('mail', '      quotaMb: 1024', 5),
  indented('shield', '        countBy', 7),
  indented('shield', '      executionMode: block #', 8),
  indented('shield', '    rateLimits:', 3),
  indented('name', '    tech:', 3),
  // Characters that are no spaces.
  slip('shop', '    smartCache', '\tsmartCache', 'The line is indented with a tab, its neighbours by 4 spaces.'),
  slip(
    'rules',
    '      action: { forceSsl',
    '    \taction: { forceSsl',
    'The line is indented with a tab, its neighbours by 6 spaces.',
  ),
  slip(
    'shop',
    '    cacheExpiration',
    '\u00a0\u00a0\u00a0\u00a0cacheExpiration',
    'The line is indented with characters that look like spaces and are none, its neighbours by 4 spaces.',
  ),
  // Colons and dashes.
  withoutSpace('shop', 'smartCache: true'),
  withoutSpace('shop', 'cacheExpiration: 7200 #'),
  withoutSpace('caching', 'smartCache: false'),
  withoutSpace('shop', 'kind: Site'),
  withoutSpace('launch', 'cacheExpiration: 600'),
  slip(
    'shop',
    'smartCache: true',
    'smartCache true',
    'There is no colon after `smartCache`. Write `smartCache: true`.',
  ),
  slip('shop', 'smartCache: true', 'smartCache = true', 'Write `smartCache: true`.'),
  slip('shop', 'smartCache: true', 'smartCache=true', 'Write `smartCache: true`.'),
  slip('shop', 'spec:', 'spec', 'There is no colon after `spec`. Write `spec:`.'),
  slip(
    'rules',
    'triggers:\n        - { url: ["*"] }\n    - name: old',
    'triggers\n        - { url: ["*"] }\n    - name: old',
    'There is no colon after `triggers`. Write `triggers:`.',
  ),
  slip('shop', '- www', '-www', 'There is no space after the dash. Write `- www.shop.example.com`.'),
  slip('rules', '- name: force', '-name: force', 'There is no space after the dash. Write `- name: force ssl`.'),
  // Quotes.
  slip(
    'rules',
    'triggers:\n        - { url: ["*"] }\n    - name: old',
    'triggers:\n        - { url: [*] }\n    - name: old',
    '`*` has to be in quotes. Write `- { url: ["*"] }`.',
  ),
  slip(
    'rules',
    '"*/.env", "*/.git/*"',
    '*/.env, */.git/*',
    'Texts that begin with `*` have to be in quotes. Write `- { url: ["*/.env", "*/.git/*"] }`.',
  ),
  slip('launch', '- { url: ["http://*"] }', '- url:\n            - *', '`*` has to be in quotes. Write `- "*"`.'),
  named('Shop: the best', 'A text that holds a colon and a space has to be in quotes. Write `name: "Shop: the best"`.'),
  named('@shop', 'A text that begins with `@` has to be in quotes. Write `name: "@shop"`.'),
  named('`shop`', 'A text that begins with a backtick has to be in quotes.'),
  named('%shop', 'A text that begins with `%` has to be in quotes. Write `name: "%shop"`.'),
  named("'Ada's shop'", 'A text that holds `\'` has to be in double quotes. Write `name: "Ada\'s shop"`.'),
  named('"The "best" shop"', 'A text that holds `"` has to be in single quotes.'),
  slip(
    'launch',
    'phpVersion: "8.3"',
    'phpVersion: "8.3',
    'A text that starts with " does not end with it. Write `phpVersion: "8.3"`.',
  ),
  slip('launch', 'phpVersion: "8.3"', 'phpVersion: 8.3', 'Put it in quotes.'),
  slip(
    'name',
    '"+31.201234567"',
    '"+31.201234567',
    'A text that starts with " does not end with it. Write `phone: "+31.201234567"`.',
  ),
  slip('shop', 'smartCache: true', 'smartCache: "true"', 'Remove the quotes.'),
  // Brackets and commas.
  slip(
    'shop',
    '[currency, language]',
    '[currency, language',
    'A `[` is not closed. Write `cookieVaryParameters: [currency, language]`.',
  ),
  slip('rules', '{ forceSsl: {} }', '{ forceSsl: {}', 'A `{` is not closed. Write `action: { forceSsl: {} }`.'),
  slip(
    'rules',
    '{ forceSsl: {} }',
    '{ forceSsl: {} } }',
    'There is one `}` too many. Write `action: { forceSsl: {} }`.',
  ),
  slip('caching', '{ staleWhile', 'staleWhile', 'A `}` closes nothing.'),
  slip('name', '"15.00", currency', '"15.00, currency', 'A text that starts with " does not end with it.'),
  slip('shop', '[currency, language]', 'currency, language]', 'Write `[currency, language]`.'),
  slip(
    'name',
    '{ amount: "15.00", currency: EUR }',
    '{ amount: "15.00" currency: EUR }',
    'There is no comma before `currency`.',
  ),
  slip('rules', '"*/.env", "*/.git/*"', '"*/.env" "*/.git/*"', 'There is no comma between two items.'),
  slip('shop', 'smartCache: true', 'smartCache: true,', 'Remove the `,` at its end.'),
  // Git.
  slip(
    'shop',
    '    smartCache: true\n',
    '<<<<<<< HEAD\n    smartCache: false\n=======\n    smartCache: true\n>>>>>>> feature\n',
    'This is a marker of an unfinished Git merge.',
  ),
  slip(
    'docs',
    '---\n',
    '<<<<<<< HEAD\n=======\n---\n>>>>>>> feature\n',
    'This is a marker of an unfinished Git merge.',
  ),
  // Levels.
  indented('launch', '  phpVersion: "8.3"', 0),
  slip(
    'rules',
    'spec:\n  name: shop\n  phpVersion: "8.3" # a change restarts the site',
    'phpVersion: "8.3"\nspec:\n  name: shop',
    '`phpVersion` belongs below `spec`.',
  ),
  slip(
    'launch',
    '    cacheExpiration: 600',
    '  cacheExpiration: 600',
    '`cacheExpiration` belongs below `spec.caching`.',
  ),
  slip('user', '  name: client-a', 'name: client-a', '`name` belongs below `metadata`.'),
  slip('shop', 'lifecycle:\n  protect: true', 'protect: true', '`protect` belongs below `lifecycle`.'),
  // Names.
  slip('shop', 'smartCache', 'smartCash', 'Did you mean `smartCache`?'),
  slip('shop', 'cacheExpiration', 'cache_expiration', 'Did you mean `cacheExpiration`?'),
  slip('shop', 'kind: Site', 'kind: Sites', 'Did you mean `Site`?'),
  slip('panel', 'package: basic', 'packge: basic', 'Did you mean `package`?'),
];

describe('a slip in YAML', () => {
  test.each(SLIPS)('$file: $write.1', async ({ file, write: [right, wrong], says }) => {
    const [example = '', ...rest] = FILES[file].split('/');
    const workspace = await mkdtemp(path.join(folder, 'slip-'));
    await cp(path.join(EXAMPLES, example), workspace, { recursive: true });
    const manifest = path.join(workspace, ...rest);
    const text = await readFile(manifest, 'utf8');
    expect(text).toContain(right);
    const mistaken = text.replace(right, () => wrong);
    await writeFile(manifest, mistaken);

    const told = await validate(workspace);
    expect(told.map(({ detail }) => detail)).toHaveLength(1);
    const [diagnostic] = told as [Diagnostic];
    expect(diagnostic.detail).toContain(says);

    const mended = followed(mistaken, diagnostic);
    expect(mended, diagnostic.detail).not.toBe(mistaken);
    await writeFile(manifest, mended);
    expect(await validate(workspace), mended).toEqual([]);
  });

  test('sixty of them', () => {
    expect(SLIPS.length).toBeGreaterThanOrEqual(60);
  });
});

test('the built command says it', async () => {
  const workspace = await mkdtemp(path.join(folder, 'slip-'));
  await cp(path.join(EXAMPLES, 'hardened-shop'), workspace, { recursive: true });
  const manifest = path.join(workspace, 'sites/shop.yaml');
  await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('["*"]', '[*]'));
  const main = path.join(import.meta.dirname, '../../dist/main.js');
  const { status, stdout } = spawnSync(process.execPath, [main, 'validate', '--no-cache'], {
    cwd: workspace,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stdout.match(/error HW\d+/g)).toEqual(['error HW1114']);
  expect(stdout).toContain('`*` has to be in quotes. Write `- { url: ["*"] }`.');
});

describe('what follows from a slip', () => {
  const told = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const workspace = await mkdtemp(path.join(folder, 'slip-'));
    const head = 'apiVersion: hostwright/v1\n';
    await writeFile(
      path.join(workspace, 'hostwright.yaml'),
      `${head}kind: Workspace\nspec: { account: a, baseUrl: "https://api.example.com", manifests: ["*.yaml"] }\n`,
    );
    for (const [name, text] of Object.entries(files))
      await writeFile(path.join(workspace, name), text.replaceAll('kind:', `${head}kind:`));
    const { stdout } = await runHere(['validate', '--format', 'json', '--no-cache'], { cwd: workspace, env: {} });
    const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly Diagnostic[] };
    return diagnostics.map(({ code, source }) => `${code} ${source?.file}`);
  };
  const profile = 'kind: SiteProfile\nmetadata: { name: base }\nspec: { caching: { smartCache: true } }\n';
  const shop = 'kind: Site\nmetadata: { name: shop }\nspec:\n  profiles: [base]\n  domains: [a.example, b.example]\n';

  test('a profile that only the broken file uses is not called unused', async () => {
    expect(await told({ 'a.yaml': profile, 'b.yaml': shop.replace('  domains:', '   domains:') })).toEqual([
      'HW1112 b.yaml',
    ]);
  });

  test('a profile in the broken file is not called unknown', async () => {
    expect(await told({ 'a.yaml': profile.replace('spec:', 'spec'), 'b.yaml': shop })).toEqual(['HW1113 a.yaml']);
  });

  test('a manifest that was copied has one message, whatever is in it', async () => {
    expect(await told({ 'a.yaml': profile, 'b.yaml': shop, 'c.yaml': shop })).toEqual(['HW1301 c.yaml']);
  });

  test('a wrong name is told without notes on other files', async () => {
    expect(await told({ 'a.yaml': profile, 'b.yaml': shop.replace('[base]', '[bass]') })).toEqual(['HW1320 b.yaml']);
  });
});

async function validate(cwd: string): Promise<readonly Diagnostic[]> {
  const env = { PATH: process.env.PATH, DAAN_PASSWORD: 'x', MOVING_AUTHCODE: 'x' };
  const { stdout } = await runHere(['validate', '--format', 'json', '--no-cache'], { cwd, env });
  const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly Diagnostic[] };
  return diagnostics.filter(({ severity }) => severity !== 'info');
}

/** The text after somebody did what the message says, and nothing else. */
function followed(text: string, { detail, source }: Diagnostic): string {
  if (source === undefined) return text;
  const lines = text.split('\n');
  const at = source.line - 1;
  const line = lines[at] as string;
  const replaceMarked = (by: (marked: string) => string): string =>
    lines
      .with(
        at,
        line.slice(0, source.column - 1) +
          by(line.slice(source.column - 1, source.endColumn - 1)) +
          line.slice(source.endColumn - 1),
      )
      .join('\n');

  const wanted = /its neighbours by (\d+)/.exec(detail)?.[1];
  if (wanted !== undefined) {
    const end = detail.includes('Move the lines below it') ? endOfBlock(lines, at) : at + 1;
    return moved(lines, at, end, Number(wanted) - indentOf(line)).join('\n');
  }
  const [, , write] = /Write (`+) ?(.+?) ?\1\.(?: |$)/.exec(detail) ?? [];
  if (write !== undefined) return replaceMarked(() => write);
  const near = /Did you mean `([^`]+)`\?/.exec(detail)?.[1];
  if (near !== undefined) return replaceMarked(() => near);
  if (detail.includes('Put it in quotes.')) return replaceMarked((marked) => `"${marked}"`);
  if (detail.includes('Remove the quotes.')) return replaceMarked((marked) => marked.slice(1, -1));
  if (/Remove the `.` at its end/.test(detail)) return replaceMarked((marked) => marked.slice(0, -1));
  const tight = /There is no space after the colon of `(\w+)`/.exec(detail)?.[1];
  if (tight !== undefined) return replaceMarked((marked) => marked.replace(`${tight}:`, `${tight}: `));
  if (detail.includes('a marker of an unfinished Git merge'))
    return text.replace(/^<{7}.*\n(?:.*\n)*?={7}\n((?:.*\n)*?)>{7}.*\n/m, '$1');
  const [, fields, place] = /(`[^.]+`) belongs? below `([^`]+)`/.exec(detail) ?? [];
  if (fields !== undefined && place !== undefined)
    return [...fields.matchAll(/`(\w+)`/g)].reduce((now, [, field = '']) => below(now, field, place), text);
  return text;
}

/** A field with all that is in it, moved to the end of a section, which is written where it is not there. */
function below(text: string, field: string, section: string): string {
  const lines = text.split('\n');
  const names = section.split('.');
  const name = names.at(-1) as string;
  const depth = (names.length - 1) * 2;
  const start = lines.findLastIndex((line) => line.trimStart().startsWith(`${field}:`));
  const end = endOfBlock(lines, start);
  const block = moved(lines, start, end, depth + 2 - indentOf(lines[start] as string)).slice(start, end);
  const rest = lines.toSpliced(start, end - start);
  const head = rest.findIndex((line) => line.startsWith(`${' '.repeat(depth)}${name}:`));
  return (
    head === -1
      ? [...rest.slice(0, start), `${name}:`, ...block, ...rest.slice(start)]
      : rest.toSpliced(head + 1, 0, ...block)
  ).join('\n');
}

function endOfBlock(lines: readonly string[], start: number): number {
  const indent = indentOf(lines[start] as string);
  const end = lines.findIndex((line, index) => index > start && line.trim() !== '' && indentOf(line) <= indent);
  return end === -1 ? lines.length : end;
}

function moved(lines: readonly string[], start: number, end: number, by: number): string[] {
  return lines.map((line, index) =>
    index < start || index >= end || line.trim() === '' ? line : ' '.repeat(indentOf(line) + by) + line.trimStart(),
  );
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
