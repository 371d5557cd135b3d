// Makes what is derived from the schemas and the sources: code, which is not in Git, and pages, which are.
//
// `npm run generate` makes both. `npm ci`, the build, the checks and the tests make code that is missing or stale by
// themselves: `tsx .ci/generate.ts code`. A page that is stale fails `test/schemas/pages.test.ts`.
import { generateCode, writeFiles } from './generated-code.ts';

await generateCode();
if (process.argv[2] !== 'code') {
  const { pageFiles } = await import('./pages.ts');
  await writeFiles(await pageFiles());
}
