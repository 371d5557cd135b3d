// What the sections of a registration have in common: what its row says beside their fields, what its TLD cannot do,
// how a locked name answers.
import type { JsonObject } from '../../../model/json.ts';
import { valueAt } from '../../../model/json.ts';
import type { Answers, Blocker, FieldRule, Live } from '../../../model/kind/kind.ts';
import { updatable } from '../../../model/kind/kind.ts';
import { flagAt, rowsAt } from '../../../model/kind/rows.ts';
import { showPrice } from '../../../model/price.ts';
import type { AnswerRow } from '../../../model/plan/step.ts';
import { priceOf } from '../../common/money.ts';
import { unlessOn } from '../../common/protection.ts';
import { fieldSection } from '../../common/sections.ts';
import { registrationRow } from './guards.ts';

/** A section comes with its registration. */
const NOT_LISTED: Blocker = {
  reason: 'the list of registrations does not show the name any more',
  remedy: 'Run plan again.',
  rule: 'REG-09',
};

/**
 * What sections look at beside their own fields. Fees are priced on this list, and not in the answers to changes
 * (REG-06).
 */
export function sectionComputed(row: JsonObject): JsonObject {
  return {
    locked: row.locked === true,
    prohibited: row.server_transfer_prohibited === true,
    flags: row.feature_flags ?? null,
    fees: row.fees ?? null,
  };
}

/** What the TLD is known not to have is not asked for (REG-05); what nobody says is found out by asking. */
export function unsupported(computed: JsonObject, flag: string, what: string, field: string): Blocker | null {
  if (valueAt(computed, `/flags/${flag}`) !== false) return null;
  return {
    reason: `the TLD of the name has no ${what}`,
    remedy: `Remove \`${field}\` from the manifest.`,
    rule: 'REG-05',
  };
}

/** Some registries take no change of a locked name (O-63), and nothing says which. */
export function whileLocked(computed: JsonObject): readonly AnswerRow[] {
  if (computed.locked !== true) return [];
  return [
    {
      status: 422,
      then: 'blocked',
      reason:
        'the registry did not take the change; the name is locked, which may be why: write `locked: false`, apply, then lock it again',
      rule: 'O-63',
    },
  ];
}

/** What every section of a registration is: there with it, and read from its row. */
export const registrationSection = {
  parent: 'DomainRegistration',
  list: 'singleton',
  reads: { row: registrationRow },
  create: NOT_LISTED,
} as const;

/** A section that is one flag of the row. */
export function flagSection<Field extends string>(id: string, field: Field, key: string) {
  return {
    ...registrationSection,
    section: fieldSection(field),
    fields: { [field]: { ...updatable(), lowers: unlessOn } } as { readonly [F in Field]: FieldRule },
    decode: ({ row }: Answers) =>
      rowsAt(row).map((one) => ({
        id,
        spec: { [field]: flagAt(one, key) } as { readonly [F in Field]: boolean },
        computed: sectionComputed(one),
      })),
    manifest: { item: ({ spec }: Live<{ readonly [F in Field]: boolean }>) => spec[field] },
  };
}

/** An amount with its currency, as a person reads it. */
export function inMoney(fee: JsonObject): string {
  const price = priceOf(fee);
  return price === undefined ? 'an amount that is not shown' : showPrice(price);
}
