// A user of a sub-account, made once: its credentials go to one file and nowhere else, whatever breaks on the way.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../src/model/plan.ts';
import type { Harness, HarnessOptions } from '../support/harness.ts';
import { startHarness } from '../support/harness.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

const workspace = 'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [users]\n  secrets: { keep: [credentials] }\n';
const FILE = 'credentials/client-a.json';
const spec = { fname: 'Jo', lname: 'Doe', email: 'jo@client-a.example', companyName: 'Client A', locale: 'nl', billingTerm: 'annual', credentialsTo: { file: FILE } };
const manifest = (given: object = {}, name = 'client-a', rest: object = {}): string => JSON.stringify({ apiVersion: 'hostwright/v1', kind: 'User', metadata: { name }, ...rest, spec: { ...spec, ...given } });

async function start(options: HarnessOptions = {}): Promise<Harness> {
  harness = await startHarness({ scenario: 'panel', workspace, ledger: true, ...options, files: { 'users/a.json': manifest(), ...options.files } });
  return harness;
}

describe('a user', () => {
  it('USR-02, USR-03: is made once', async () => {
    const one = await start();
    const plan = await one.planned();
    console.log(JSON.stringify(plan,null,1));
    const { outcome } = await one.apply();
    console.log(JSON.stringify(outcome,null,1));
    console.log(readFileSync(join(one.root, FILE), 'utf8'), statSync(join(one.root, FILE)).mode.toString(8));
    const after = await one.planned();
    console.log(JSON.stringify(after, null, 1));
    expect(isEmptyPlan(after)).toBe(true);
  });
});
