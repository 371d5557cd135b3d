import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 90_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    // Vitest keeps a core for itself by default; with two cores that is half the machine.
    maxWorkers: '100%',
    coverage: {
      provider: 'v8',
      // The pure folders are held to every branch; the rest is covered by the conformance, kill-loop and session tests.
      include: ['src/model/**', 'src/kinds/**', 'src/planner/**', 'src/report/**'],
      exclude: ['src/model/generated/**'],
      reporter: ['text-summary', 'text'],
      thresholds: { branches: 100 },
    },
  },
});
