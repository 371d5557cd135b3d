import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/before-all.ts',
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // Against tests that hang, and no measure of anything: a busy machine may take as long as it takes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 600_000 } },
