// The tests that judge mutants of src/engine: the pure ones, which need no server and no build.
import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['test/planner/**/*.test.ts', 'test/kinds/**/*.test.ts'] } });
