// The files of a workspace whose manifests a TypeScript program declares: the program, its unit test, and the settings
// of the compiler.
import type { NewFile } from '../../../usecases/init.ts';

const PROGRAM = `// What this account has. \`hostwright synth\` runs this file and writes the manifests as YAML, which is what a review shows
// and what \`hostwright apply\` reads. \`hostwright plan hosting.ts\` plans it as it is.
import { App, Site, type SiteProps } from 'hostwright/constructs';

/** Settings that several sites share: a profile is a function. */
const cached = (seconds: number): SiteProps => ({ caching: { smartCache: true, cacheExpiration: seconds } });

const app = new App();

// A site that exists is found by its hostname. Put one of yours in the place of this one.
new Site(app, 'shop', Site.merge(cached(3600), { domains: ['shop.example.com'] }));

// What every site has to be. A message is reported at the line of that site.
app.check(Site, (site) => (site.props.lifecycle?.state === 'absent' ? 'no site is deleted from here' : undefined));

export ${'default'} app;
`;

const TEST = `import { expect, test } from 'vitest';
import { planInSandbox, Template } from 'hostwright/testing';
import app from './hosting.ts';

test('the shop is cached', () => {
  Template.fromApp(app).has('Site', 'shop', { caching: { smartCache: true } });
});

test('nothing is deleted, and nothing costs money', async () => {
  // The sandbox is a platform in this process: no network, no files.
  const plan = await planInSandbox(app, { scenario: 'small' });
  expect(plan.summary).toMatchObject({ delete: 0, charges: 0 });
});
`;

const SETTINGS = {
  compilerOptions: {
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    // Node.js runs the program by leaving types out: syntax that it cannot leave out is an error here too.
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    // What a program imports from Node.js itself, such as `node:fs`.
    types: ['node'],
    skipLibCheck: true,
  },
  include: ['**/*.ts'],
};

/** A program to fill in, with its test. */
export function programFiles(): readonly NewFile[] {
  return [
    { file: 'hosting.ts', text: PROGRAM },
    { file: 'hosting.test.ts', text: TEST },
    { file: 'tsconfig.json', text: `${JSON.stringify(SETTINGS, undefined, 2)}\n` },
  ];
}
