// Where tests put folders that hold nothing but small files: in memory, where the system has a place for that. A ledger
// is synced at each append, which a disk takes longer for than everything else in a run together.
import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';

const SHARED_MEMORY = '/dev/shm';

export const memoryFolder: string = (() => {
  try {
    accessSync(SHARED_MEMORY, constants.R_OK | constants.W_OK | constants.X_OK);
    return SHARED_MEMORY;
  } catch {
    return tmpdir();
  }
})();
