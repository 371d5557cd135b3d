import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 90_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    // Vitest keeps a core for itself by default; with two cores that is half the machine.
    maxWorkers: '100%',
  },
});
