// What a plan is limited to, and how that is said.
import type { Address } from '../../model/address.ts';
import { compareText } from '../../model/address.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import { firstOf, inThousands } from '../../model/format.ts';

/** What a plan is limited to. */
export interface Limits {
  /** Only actions on these, in these, and what those need. Empty: everything. */
  readonly targets: readonly Address[];
  /** Targets as the user wrote them: each must name something. They take the place of `targets`. */
  readonly patterns?: readonly string[];
  /** Only these roots are read and planned. Absent: all that are declared. */
  readonly within?: ReadonlySet<Address>;
}

export interface Scope {
  readonly limits: Limits;
  /** What has to be said about it; the first says how much was read, where that is not everything. */
  readonly notices: readonly Diagnostic[];
  /** What the manifests declared where the branch began, as far as it could be read. */
  readonly former?: readonly DesiredCollection[];
  /** Nothing changed since the commit. */
  readonly isNothing: boolean;
}

/** The addresses of the roots that are declared. */
export function rootsIn(declared: readonly DesiredCollection[]): readonly Address[] {
  return declared.flatMap(({ parent, members }) => (parent === null ? members.map(({ address }) => address) : []));
}

/** `1 of 1,000 manifests` */
export function countOf(some: number, all: number): string {
  return `${inThousands(some)} of ${inThousands(all)} ${all === 1 ? 'manifest' : 'manifests'}`;
}

/** What was read beside the subjects of a run, as a sentence or none. */
export function restingOn(subjects: readonly Address[], within: ReadonlySet<Address>): readonly string[] {
  const own = new Set(subjects);
  const others = [...within].filter((address) => !own.has(address)).sort(compareText);
  return others.length === 0 ? [] : [`Read only to know what those rest on: ${named(others)}.`];
}

/** As much of a list as people read. */
const NAMED = 10;

/** The first of a list, and how many more there are. */
export function named(names: readonly string[]): string {
  return firstOf(names, NAMED);
}

/** The notice that only a part of the account was read. */
export function partRead(detail: string): Diagnostic {
  return diagnose('HW6142', detail);
}
