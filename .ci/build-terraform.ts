// Builds the Terraform provider: one file that Terraform starts, wherever it is copied to.
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Metafile } from 'esbuild';

export const PROVIDER_FILE = 'terraform-provider-hostwright';

/**
 * Where the file lies it may be taken for a CommonJS module or an ES module, by its neighbours; so it is a script that
 * is both, and asks the process for the modules of Node.js.
 */
const HEAD = '#!/usr/bin/env node\n(function (require, module, exports) {';
const FOOT = "})(function (id) { return process.getBuiltinModule(id.replace(/^node:/, '')); }, { exports: {} }, {});";

/** Writes the provider into a folder that is there. */
export async function buildTerraformProvider(root: string, folder: string): Promise<Metafile> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/cli/terraform/provider.ts'],
    outfile: join(folder, `${PROVIDER_FILE}.cjs`),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.18',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    banner: { js: HEAD },
    footer: { js: FOOT },
    logLevel: 'warning',
    write: false,
    metafile: true,
  });
  const file = join(folder, PROVIDER_FILE);
  await writeFile(file, outputFiles[0]?.contents ?? '');
  await chmod(file, 0o755);
  return metafile;
}
