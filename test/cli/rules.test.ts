// `test` and `test --url` as commands: what is no request is refused, and what was not read is not denied.
import { expect, it } from 'vitest';
import { runHere } from '../support/processes/run-here.ts';

it('a method that is none, and an address with a password, are refused before anything is read', async () => {
  for (const words of [
    ['https://a.example/', '--method', 'G\u001B[31mET'],
    ['https://u:p@a.example/'],
    ['a.example'],
  ]) {
    const { code, stdout, stderr } = await runHere(['test', '--url', ...words], { cwd: '/', env: {} });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: .*is invalid/);
  }
});

it('nobody says that manifests which cannot be read have no tests', async () => {
  const { code, stdout, stderr } = await runHere(['test', '-'], { cwd: '/', env: {}, input: 'spec: [\n' });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('error HW');
});
