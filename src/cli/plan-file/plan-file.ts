// How a saved plan is written and read: whole or not at all, for its owner only, and never over a file that is something
// else. Its digests and its age are the use case's to check.
import { randomUUID } from 'node:crypto';
import { lstat, open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Code, Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import { savedPlanPieces } from '../../report/json/index.ts';
import { isJsonObject, parseJson } from '../../model/json.ts';
import { untrusted, untrustedMessage } from '../../system/trusted-file.ts';
import type { Context } from '../context.ts';
import { trustedRoots } from '../trusted-roots.ts';

export type PlanFile =
  | { readonly is: 'plan'; readonly plan: Plan; readonly rehearsal?: Rehearsal }
  | { readonly is: 'other' }
  | { readonly is: 'broken'; readonly diagnostic: Diagnostic };

const FORMAT = /"format"\s*:\s*"hostwright\.plan\/(\d+)"/;
/** Far above any plan; a device file or a disk image is not read to its end. */
const LARGEST_BYTES = 512 * 1024 * 1024;

/**
 * Reads a file that may be a saved plan. `other`: it is not, or not readable; whoever reads manifests says what is
 * wrong with it.
 */
export async function readPlanFile(cwd: string, file: string): Promise<PlanFile> {
  const text = await readText(resolve(cwd, file));
  if (typeof text !== 'string' && text.code === 'ENOENT' && file.endsWith('.json'))
    return broken('HW6504', `There is no file \`${file}\`. \`hostwright plan --out ${file}\` makes one.`);
  if (typeof text !== 'string')
    return text.code === 'ENOENT' || text.code === 'EISDIR'
      ? { is: 'other' }
      : broken('HW6504', `\`${file}\`: ${text.code}.`);
  const value = parseJson(text);
  if (value === undefined)
    return FORMAT.test(text)
      ? broken('HW6503', `\`${file}\` is cut off, or no JSON. Nothing is run. Make the plan again.`)
      : { is: 'other' };
  const format = isJsonObject(value) && typeof value.format === 'string' ? value.format : '';
  if (!format.startsWith('hostwright.plan/')) return { is: 'other' };
  const { readPlan } = await import('../../usecases/show.ts');
  const read = await readPlan(value, `\`${file}\``);
  return 'diagnostic' in read ? { is: 'broken', ...read } : { is: 'plan', ...read };
}

/** Why a plan must not be written there, if it must not: only a plan is replaced by a plan. */
export async function checkPlanTarget(cwd: string, file: string): Promise<readonly Diagnostic[]> {
  const path = resolve(cwd, file);
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) {
    const folder = await lstat(dirname(path)).catch(() => undefined);
    return folder === undefined
      ? [diagnose('HW6506', `There is no folder for \`${file}\`. Make it, or name another file.`)]
      : [];
  }
  if (stats.isFile() && FORMAT.test(await head(path))) return [];
  return [
    diagnose(
      'HW6505',
      `\`${file}\` exists and is not a saved plan, so it is left as it is. Name another file, or remove it first.`,
    ),
  ];
}

/** Written beside its place, synced, then renamed: a reader sees the old plan or the new one. */
export async function writePlanFile(
  { cwd, env }: Pick<Context, 'cwd' | 'env'>,
  file: string,
  plan: Plan,
  rehearsal?: Rehearsal,
): Promise<readonly Diagnostic[]> {
  const path = resolve(cwd, file);
  const problem = untrusted(path, { use: 'output', roots: trustedRoots(env) });
  if (problem !== undefined)
    return [diagnose('HW6506', `${untrustedMessage(problem)} The plan was made and nothing was run.`)];
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      // Each goes on where the one before it ended.
      for (const piece of savedPlanPieces(plan, rehearsal)) await handle.writeFile(piece);
      await handle.writeFile('\n');
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
    return [];
  } catch (error) {
    await rm(draft, { force: true });
    return [
      diagnose(
        'HW6506',
        `\`${file}\`: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}. The plan was made and nothing was run.`,
      ),
    ];
  }
}

async function readText(path: string): Promise<string | { readonly code: string }> {
  try {
    const stats = await lstat(path);
    if (stats.size > LARGEST_BYTES) return { code: 'too large' };
    return await readFile(path, 'utf8');
  } catch (error) {
    return { code: (error as NodeJS.ErrnoException).code ?? 'unknown error' };
  }
}

async function head(path: string): Promise<string> {
  const handle = await open(path, 'r').catch(() => undefined);
  if (handle === undefined) return '';
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

function broken(code: Code, detail: string): PlanFile {
  return { is: 'broken', diagnostic: diagnose(code, detail) };
}
