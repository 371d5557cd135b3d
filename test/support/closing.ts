// What a test opens for itself is closed when that test ends, the last first. What several tests share is closed by the
// file that shares it.
import { onTestFinished } from 'vitest';

/** The same, closed when the test ends that runs now. */
export function closing<Opened extends { readonly close: () => unknown }>(opened: Opened): Opened {
  onTestFinished(async () => {
    await opened.close();
  });
  return opened;
}
