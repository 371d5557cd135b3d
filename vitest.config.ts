import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/before-all.ts',
    testTimeout: 120_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    // Test files share a process and what they load: most of a short file's time was loading. No threads: commands that
    // run in a test change its folder.
    isolate: false,
    pool: 'forks',
    // Tests wait for what they start: Git, PostgreSQL, the built command. Another file makes use of the time.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
  },
});
