// Ledgers of the format that version 0.1 wrote, whose begin entries have whole actions: read, converted by the first
// write, and never obeyed.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fileStore } from '../../src/ledger/file-store.ts';
import { checkedFlights } from '../../src/ledger/former-format.ts';
import { readLedger } from '../../src/ledger/stored-ledger.ts';
import type { OpenOptions } from '../../src/ledger/stored-ledger.ts';
import type { Json } from '../../src/model/json.ts';
import { openFolder } from '../support/closing.ts';
import { begunOf } from '../support/actions.ts';
import { virtualClock } from '../platform/virtual-clock.ts';
import { createThing, openedLedger } from './support.ts';

const at = '2026-01-01T00:00:00.000Z';
const header = { format: 'hostwright.ledger/1', account: 'acc', standing: 'complete', after: 0 };
const begun = { type: 'begin', runId: 'run-1', action: createThing('a'), known: {}, effects: [] };
const former = (...entries: readonly object[]): string =>
  [header, ...entries.map((entry, index) => ({ n: index + 1, at, ...entry }))]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

let file: string;
let options: OpenOptions;

beforeEach(async () => {
  const folder = await openFolder();
  await mkdir(join(folder, '.hostwright'));
  file = join(folder, '.hostwright', 'ledger.jsonl');
  options = {
    store: fileStore(file),
    account: 'acc',
    clock: virtualClock(),
    owner: { hostname: 'here', pid: process.pid, user: 'me', runId: 'run-2' },
    uuid: () => 'run-2',
  };
});

describe('a ledger of the former format', () => {
  const entries = [
    begun,
    { type: 'sent', address: 'Thing/a', step: 'make' },
    {
      type: 'answered',
      address: 'Thing/a',
      step: 'make',
      status: 201,
      row: 1,
      follow: 'look-up',
      outputs: {},
    },
  ];

  it('is read without its steps, and names the row of an answer', async () => {
    await writeFile(file, former(...entries));
    const { view, diagnostics } = await readLedger(options);
    expect(diagnostics).toEqual([]);
    expect(view.inFlight).toMatchObject([
      { action: begunOf(createThing('a')), pending: { step: 'make', follow: 'look-up', row: '2xx look-up' } },
    ]);
    expect(view.inFlight[0]?.action).not.toHaveProperty('steps');
    expect(await readFile(file, 'utf8')).toBe(former(...entries));
  });

  it('is converted as a whole by the first write, so that version 0.1 refuses it as newer', async () => {
    await writeFile(file, former(...entries));
    const ledger = await openedLedger(options);
    const before = ledger.view();
    await ledger.append({ type: 'forgotten', address: 'Thing/b' });
    await ledger.close();
    const text = await readFile(file, 'utf8');
    expect(text.split('\n')[0]).toContain('"hostwright.ledger/2"');
    expect(text).not.toContain('"steps"');
    expect(text).not.toContain('/api/things');
    expect((await readLedger(options)).view).toEqual({ ...before, sequence: before.sequence + 1 });
  });

  it('stays as it is where a run writes nothing', async () => {
    await writeFile(file, former(...entries));
    await (await openedLedger(options)).close();
    expect(await readFile(file, 'utf8')).toBe(former(...entries));
  });
});

describe('actions in flight that Terraform state kept', () => {
  const flight = { runId: 'run-1', action: createThing('a'), answered: { make: { id: '1' } }, known: {}, effects: [] };

  it('lose the steps of a former version', () => {
    const [checked, ...others] = checkedFlights([flight] as unknown as Json);
    expect(others).toEqual([]);
    expect(checked).toMatchObject({ runId: 'run-1', answered: { make: { id: '1' } } });
    expect(checked?.action).toEqual(begunOf(createThing('a')));
  });

  it.each([
    [
      'an id that is no segment of a path',
      { ...flight, action: begunOf(createThing('a')), answered: { make: { id: '..' } } },
    ],
    ['an address that is none', { ...flight, action: { ...begunOf(createThing('a')), address: 'nowhere' } }],
    ['a member that no record has', { ...flight, action: { ...begunOf(createThing('a')), body: {} } }],
    ['no action', { runId: 'run-1' }],
  ])('are left out with %s', (_, kept) => {
    expect(checkedFlights([kept] as unknown as Json)).toEqual([]);
  });
});
