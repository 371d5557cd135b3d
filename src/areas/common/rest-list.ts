// The steps of kinds whose items are created by POST, changed by PATCH and removed by DELETE in a list below an object.
// A POST is sent once. If its response is lost, the item is looked up in the list by its name.
import type { Address } from '../../model/address.ts';
import type { StepContext } from '../../model/kind/kind.ts';
import type { AnswerRow, LookUp, PathTemplate, Step, Template } from '../../model/plan/step.ts';
import { ref } from '../../model/plan/step.ts';
import { change, LOST_CREATE_MS, removal, until, waitStep } from './steps.ts';

export interface RestList {
  readonly path: (parent: Address) => PathTemplate;
  /** Where the list stands in its answer. */
  readonly rows: LookUp['rows'];
  /** Where a row has its id and its name; several where the documents leave it open. Absent: `/id`, `/name`. */
  readonly id?: readonly string[];
  readonly name?: readonly string[];
  /** What the answer to a POST means; the first row that fits counts. */
  readonly made: readonly AnswerRow[];
  /** Refusals that a POST and a PATCH have in common. */
  readonly refusals?: readonly AnswerRow[];
  /** For people. */
  readonly label: string;
  readonly rule: string;
  /** Why a POST is not sent twice. Absent: `rule`. */
  readonly onceRule?: string;
}

/** Which item. */
export type ItemAddress = Pick<StepContext<object>, 'self' | 'parent'>;

/** Makes an item, and waits until the list shows it. */
export function createItem(
  list: RestList,
  { parent }: Pick<ItemAddress, 'parent'>,
  name: string,
  body: Template,
): readonly Step[] {
  const byName = listed(list, parent, list.name ?? ['/name'], name);
  return [
    {
      do: 'request',
      name: 'create',
      method: 'POST',
      path: list.path(parent),
      body,
      idempotent: false,
      answers: [...(list.refusals ?? []), ...list.made],
      recovery: {
        lookUp: byName,
        ifNotFound: 'ask',
        graceMs: LOST_CREATE_MS,
        rule: list.onceRule ?? list.rule,
      },
      reason: `make the ${list.label}`,
      rule: list.rule,
    },
    waitStep('listed', until(true, byName, `the list of the site shows the ${list.label}`)),
  ];
}

/** Writes an item that is there. */
export function writeItem(
  list: RestList,
  { self, parent }: ItemAddress,
  {
    body,
    reason = `write the ${list.label}`,
    rule = list.rule,
  }: {
    readonly body: Template;
    readonly reason?: string;
    readonly rule?: string;
  },
): readonly Step[] {
  return [
    change({
      name: 'replace',
      method: 'PATCH',
      path: itemPath(list, parent, self),
      body,
      recheck: true,
      answers: [...(list.refusals ?? []), { status: '2xx', then: 'done' }],
      reason,
      rule,
    }),
  ];
}

/** Removes an item, and waits until the list no longer shows it. */
export function removeItem(list: RestList, { self, parent }: ItemAddress): readonly Step[] {
  return removal({
    path: itemPath(list, parent, self),
    gone: until(
      false,
      listed(list, parent, list.id ?? ['/id'], ref(self)),
      `the list of the site no longer shows the ${list.label}`,
    ),
    reason: `remove the ${list.label}`,
    rule: list.rule,
  });
}

function itemPath({ path }: RestList, parent: Address, self: Address): PathTemplate {
  const parts = path(parent);
  return [...parts.slice(0, -1), `${parts.at(-1) as string}/`, ref(self)];
}

function listed(
  { path, rows }: RestList,
  parent: Address,
  [pointer = '', ...or]: readonly string[],
  value: Template,
): LookUp {
  return { read: path(parent), rows, where: [{ pointer, ...(or.length > 0 && { or }), value }], capture: {} };
}
