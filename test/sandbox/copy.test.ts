// A copy of an account answers what was read of it as it was read, and nothing else.
import { describe, expect, it } from 'vitest';
import { compareText } from '../../src/model/address.ts';
import type { Json } from '../../src/model/json.ts';
import { isJsonObject } from '../../src/model/json.ts';
import { openCopy } from '../../src/sandbox/copy.ts';
import type { RecordedAnswer } from '../../src/usecases/rehearse/recorded.ts';
import { planRehearsed } from '../../src/usecases/rehearse/plan.ts';
import { PLAN_CASES } from '../bench/plan-cases.ts';
import { inTurn, isWhole } from '../support/whole.ts';
import { openHarness } from '../support/open-harness.ts';

const ACCOUNT = 'acc-acme';

/** Without what nobody relies on: keys that no document has (GAP-59), and the order of rows and keys. */
function told(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) {
    const rows = value.map((item: Json) => told(item) as Json);
    return rows.sort((left, right) => compareText(JSON.stringify(left), JSON.stringify(right)));
  }
  if (!isJsonObject(value)) return value;
  const known = Object.entries(value)
    .filter(([key]) => key !== 'x_sandbox_extra')
    .sort(([left], [right]) => compareText(left, right));
  return Object.fromEntries(known.map(([key, item]) => [key, told(item) as Json]));
}

/** Asks a copy what the account was asked, and tells where it answers otherwise. */
async function differences(answers: readonly RecordedAnswer[], nowMs: number): Promise<readonly string[]> {
  const copy = openCopy(answers, { account: ACCOUNT, nowMs });
  const different: string[] = [];
  for (const { method, path, asked, status, code, body } of answers) {
    const given = await copy.send({
      origin: '',
      method,
      path,
      headers: { 'x-auth-account': ACCOUNT },
      ...(asked !== undefined && { body: JSON.stringify(asked) }),
    });
    const read = given.body === '' ? undefined : (JSON.parse(given.body) as Json);
    // What cannot be read is not known to a copy either.
    if (status >= 400 && given.status === 501) continue;
    if (given.status !== status)
      different.push(`${path}: ${status} ${code ?? ''}, the copy ${given.status} ${given.body}`);
    else if (status === 200 && JSON.stringify(told(read)) !== JSON.stringify(told(body)))
      different.push(`${path}: ${JSON.stringify(told(body))}, the copy ${JSON.stringify(told(read))}`);
  }
  return different;
}

// Random worlds take longest.
const quick = PLAN_CASES.filter(({ name }) => !name.includes('random worlds'));
const named = (isWhole ? PLAN_CASES : inTurn(quick, 0, 6)).map((one) => [one.name, one] as const);

describe('a copy of an account', () => {
  it.each(named)(
    'answers what was read as it was read, and refuses nothing of a good plan: %s',
    async (_name, { name: _own, targets = [], ...options }) => {
      const { sandbox, session } = await openHarness(options);
      let recorded: readonly RecordedAnswer[] = [];
      const { rehearsal } = await planRehearsed(
        session({ env: () => 'a-very-secret-word' }),
        { paths: [], targets },
        {
          always: true,
          openCopy: (answers, about) => {
            recorded = [...answers];
            const { send: transport, ...copy } = openCopy(answers, about);
            return Promise.resolve({ transport, ...copy });
          },
        },
      );
      expect(await differences(recorded, sandbox.clock.now())).toEqual([]);
      expect(rehearsal?.refused ?? []).toEqual([]);
      expect(rehearsal?.left ?? []).toEqual([]);
    },
  );
});
