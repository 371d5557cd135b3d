import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/before-all.ts',
    // Against tests that hang, and no measure of anything: a busy machine may take as long as it takes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 600_000 } },
    restoreMocks: true,
    // Test files share a process and what they load: most of a short file's time was loading. No threads: commands that
    // run in a test change its folder.
    isolate: false,
    pool: 'forks',
    // Tests wait for what they start: Git, PostgreSQL, the built command. Another file makes use of the time.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
  },
});
