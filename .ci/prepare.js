// Run by `npm ci`: makes the generated code. With `--omit=dev` there is nothing to make it with, and nothing that needs it.
import { existsSync } from 'node:fs';

if (existsSync(new URL('../node_modules/tsx', import.meta.url))) {
  await import('tsx');
  await import('./generate.ts');
}
