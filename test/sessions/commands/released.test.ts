// A revert of a merge that set a field for the first time: the plan lists the field with both values, and `history undo`
// restores the former value, also after the revert. For every updatable field of every kind.
import { parseAllDocuments, stringify } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registry } from '../../../src/areas/index.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { sameJson, valueAt, withoutValueAt } from '../../../src/model/json.ts';
import type { Kind } from '../../../src/model/kind/kind.ts';
import { normaliseSpec } from '../../../src/model/kind/normalise.ts';
import type { Released } from '../../../src/model/plan/orphaned.ts';
import { readRuns } from '../../../src/usecases/history/read.ts';
import { undoRun } from '../../../src/usecases/history/undo.ts';
import type { FieldRow } from '../../support/field-stories.ts';
import { changeField, FIELD_STORIES, partAt } from '../../support/field-stories.ts';
import type { Harness } from '../../support/harness.ts';
import { startHarness } from '../../support/harness.ts';
import { converge } from '../../support/open-harness.ts';
import { matching } from '../../support/matchers.ts';

/** Returns the specs without the field of a row: without its line, or without its section where the line is required. */
function without(spec: JsonObject, root: string, [object, fields]: FieldRow): readonly JsonObject[] {
  const [kindName = '', name = ''] = (object === '' ? root : object).split('/');
  const kind = registry.get(kindName) as Kind;
  const items = kind.section
    .expand(spec, root.split('/')[1])
    .filter(
      (item) => object === '' || kind.list === 'singleton' || kind.identity(normaliseSpec(kind, item.spec)) === name,
    );
  const pointers = fields.split(' ').flatMap((path) => {
    const [field = '', ...below] = path.split('/');
    return items.map((item) => [item.pointers?.[field] ?? `${item.pointer}/${field}`, ...below].join('/'));
  });
  const lines = pointers.reduce<JsonObject>(
    (left, pointer) => (valueAt(left, pointer) === undefined ? left : (withoutValueAt(left, pointer) as JsonObject)),
    spec,
  );
  const section = kind.section.fields.reduce<JsonObject>(
    (left, field) =>
      valueAt(left, `/${field}`) === undefined ? left : (withoutValueAt(left, `/${field}`) as JsonObject),
    spec,
  );
  return object === '' ? [lines] : [lines, section];
}

/** Former values that no manifest can declare, and the reason that `history undo` reports. */
const NOT_DECLARABLE: Readonly<Record<string, RegExp>> = {
  'SiteDomain/primary': /^HW6719 .*cannot declare the former value of primary alone/,
  'EdgeRule/action/parameter2': /^HW6719 .*cannot declare the former value: `parameter2` cannot be/,
};

describe.each(Object.entries(FIELD_STORIES))('%s', (_name, story) => {
  const { root, options, rows, state } = story;
  const [file = '', whole = ''] = Object.entries(options.files ?? {})[0] ?? [];
  const documents = parseAllDocuments(whole).map((document) => document.toJS() as JsonObject);
  let one: Harness;
  beforeAll(async () => {
    one = await startHarness({ ...options, memoryLedger: false });
    await converge(one, { allowCharges: 1 });
  });
  afterAll(() => one.close());

  const apply = async (): Promise<void> => {
    const { outcome } = await one.apply({ allowDeletes: 9 });
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ exitCode: 0 });
  };

  it.each(rows)('%s %s: lists a field that a revert leaves, and restores its former value', async (...row) => {
    const [object, fields, place] = row;
    const address = object === '' ? root : `${root}/${object}`;
    await one.write(file, whole);
    await apply();
    changeField(one.sandbox, story, row);
    const former = valueIn(one, `${state}/${place}`);
    await apply();
    const [run] = (await readRuns(one.session())).runs ?? [];
    const changes = run?.actions.find((other) => other.address === address)?.changes ?? [];
    const listed = (await revert(row)).filter((other) => other.run === run?.run);
    if (changes.some(({ hidden }) => hidden === true)) {
      expect(listed).toEqual([]);
      return;
    }
    expect(listed.map((other) => `${other.address}#${other.path.split('/')[1]}`)).toContain(
      `${address}#${fields.split(/[ /]/)[0]}`,
    );
    for (const { path, value, was } of listed) {
      const change = changes.find((other) => path === other.path || path.startsWith(`${other.path}/`));
      const below = path.slice(change?.path.length);
      expect([value, was]).toEqual([change?.value, change?.was].map((side) => valueAt(side, below)));
    }
    const { written, diagnostics } = await undoRun(one.session(), { run: run?.run ?? '', dryRun: false });
    const told = diagnostics.map(({ code, detail }) => `${code} ${detail}`);
    const reason = NOT_DECLARABLE[`${address.split('/').at(-2) ?? ''}/${fields}`];
    if (reason !== undefined) {
      expect(told).toEqual([matching(reason)]);
      return;
    }
    expect([written, told]).toEqual([true, []]);
    await apply();
    expect(valueIn(one, `${state}/${place}`)).toBe(former);
  });

  /** Writes the manifest without the field, as a revert does, and returns the released fields of its plan. */
  async function revert(row: FieldRow): Promise<readonly Released[]> {
    for (const spec of without(documents[0]?.spec as JsonObject, root, row)) {
      if (sameJson(spec, documents[0]?.spec)) continue;
      const all = [{ ...documents[0], spec }, ...documents.slice(1)];
      await one.write(file, all.map((document) => stringify(document)).join('---\n'));
      const { plan } = await one.plan();
      if (plan?.actions.length === 0) return plan.released ?? [];
    }
    throw new Error('the manifest must declare the field');
  }
});

/** Returns a value of the state as JSON. An empty text is no value (both are read as the same). */
function valueIn({ sandbox }: Harness, path: string): string {
  const at = path.lastIndexOf('/');
  const value = (partAt(sandbox.state, path.slice(0, at)) as Record<string, unknown>)[path.slice(at + 1)];
  return JSON.stringify(value === '' ? null : value);
}
