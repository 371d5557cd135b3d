// `export --lang ts`: a program of an account. The command proves it by running it; here it is looked at as a reader and
// the compiler see it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExportOptions } from '../../src/usecases/export.ts';
import { exportAccount } from '../../src/usecases/export.ts';
import { synthWorkspace } from '../../src/usecases/synth.ts';
import { writeProgram } from '../../src/manifest/write/write-program.ts';
import type { Harness } from '../support/harness.ts';
import { programAccess } from '../support/processes/programs.ts';
import { openHarness } from '../support/open-harness.ts';

const WORKSPACE =
  'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [manifests]\n';

const start = async (scenario: string): Promise<Harness> => openHarness({ scenario, workspace: WORKSPACE });

const exported = (at: Harness, options: Partial<ExportOptions> = {}) =>
  exportAccount(at.session({ programs: programAccess() }), { targets: [], lang: 'ts', ...options });

describe('export --lang ts', () => {
  it.each(['small', 'mail', 'registrar', 'sites:20', 'hostile'])(
    'makes a program of %s, which synth makes the same YAML of',
    async (scenario) => {
      const at = await start(scenario);
      const { program, diagnostics } = await exported(at, { out: '.' });
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(await readFile(join(at.root, 'hosting.ts'), 'utf8')).toBe(program?.text);
      const made = await synthWorkspace(at.session({ programs: programAccess() }), {});
      expect([made.written, made.diagnostics]).toEqual([true, []]);
      expect((await at.planned()).actions).toEqual([]);
    },
  );

  it('writes what sites share as a function, and overwrites no file', async () => {
    const at = await start('sites:20');
    const { program } = await exported(at, { targets: ['Site'], out: '.' });
    // What every site has is one function, whatever it is about.
    expect(program?.text.match(/^const (\w+) = \(\): SiteProps => \(\{$/gm)).toHaveLength(1);
    expect(program?.text).toMatch(/^new Site\(app, '[\w-]+', Site\.merge\(sharedSettings\(\), \{$/m);
    expect((await exported(at, { out: '.' })).diagnostics.map(({ code }) => code)).toContain('HW6703');
  });

  it('writes references as objects, secrets as calls, and whatever text there is as a literal', () => {
    const part = { metadata: {}, comments: [] };
    const text = writeProgram({
      head: ['One\nnew App() two'],
      profileOf: () => undefined,
      parts: [
        {
          ...part,
          kind: 'DomainRegistration',
          name: 'a.example',
          spec: { contacts: { owner: { ref: 'Contact/ann-b' } } },
        },
        {
          ...part,
          kind: 'Contact',
          name: 'ann-b',
          spec: { firstName: 'O\'Neil "x" \u2028 \u202e ${1}', ['__proto__']: 1 },
        },
        {
          ...part,
          kind: 'Mailspace',
          name: 'm',
          spec: { mailboxes: [{ address: 'a@b', password: { env: 'PASS', rotate: '2' } }] },
          comments: [{ pointer: '/mailboxes/0', text: 'said\nhere' }],
        },
      ],
    });
    expect(text.split('\n')).toEqual([
      '// One new App() two',
      "import { App, Contact, DomainRegistration, Mailspace, secret } from 'hostwright/constructs';",
      '',
      'const app = new App();',
      '',
      `const annBContact = new Contact(app, 'ann-b', {`,
      `  firstName: 'O\\'Neil "x" \\u2028 \\u202e \${1}',`,
      `  ['__proto__']: 1,`,
      '});',
      '',
      "new DomainRegistration(app, 'a.example', { contacts: { owner: annBContact } });",
      "new Mailspace(app, 'm', {",
      '  mailboxes: [',
      '    // said here',
      "    { address: 'a@b', password: secret.env('PASS', { rotate: '2' }) },",
      '  ],',
      '});',
      '',
      'export default app;',
      '',
    ]);
  });
});
