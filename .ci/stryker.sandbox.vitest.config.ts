// The tests that judge mutants of src/sandbox: the conformance cases, each with a sandbox of its own in this process.
import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['test/conformance/conformance.test.ts'] } });
