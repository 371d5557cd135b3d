// Writing a result without `process.stdout`, which takes longer to load than all else that the version and the help need.
import fs from 'node:fs';

/** Writes to standard output, and hands over to the stream of Node.js where that could not take it at once. */
export function printSoon(text: string): void {
  let left: Uint8Array = Buffer.from(text);
  try {
    while (left.length > 0) left = left.subarray(fs.writeSync(1, left));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') {
      process.exitCode = 1;
      return;
    }
    process.stdout.on('error', () => {
      process.exitCode = 1;
    });
    process.stdout.write(left);
  }
}
