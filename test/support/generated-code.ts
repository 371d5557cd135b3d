// Before the tests: the generated code, where it is missing or stale.
export { generateCode as setup } from '../../.ci/generated-code.ts';
