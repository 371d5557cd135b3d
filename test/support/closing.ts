// What a test opens for itself is closed when that test ends, the last first. What several tests share is closed by the
// file that shares it.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { memoryFolder } from './memory-folder.ts';

/** The same, closed when the test ends that runs now. */
export function closing<Opened extends { readonly close: () => unknown }>(opened: Opened): Opened {
  onTestFinished(async () => {
    await opened.close();
  });
  return opened;
}

/** A folder with these files, of this test. */
export async function openFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(memoryFolder, 'hostwright-'));
  closing({ close: () => rm(folder, { recursive: true, force: true }) });
  await writeFiles(folder, files);
  return folder;
}

/** Writes files by their paths below a folder, with the folders that they need. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
}
