// The root of a program: `export default` one of these. What it comes to is one JSON document, which is all that leaves
// the program.
import { Account } from './account.ts';
import { Construct } from './construct.ts';
import { Manifest } from './manifest.ts';
import type { ManifestDocument } from './manifest.ts';
import type { Over } from './merge.ts';
import type { Place } from './place.ts';

/** What a rule of your own says of a construct. */
export interface CheckFinding {
  readonly message: string;
  /** The field that it is about: `caching/cacheExpiration`. Absent: the construct. */
  readonly at?: string;
  /** A warning is shown and stops nothing. Absent: an error. */
  readonly severity?: 'error' | 'warning';
}

/** What is told of one construct; undefined where nothing is wrong with it. */
export type CheckAnswer = string | CheckFinding | readonly (string | CheckFinding)[] | undefined;

/** What a program comes to. */
export interface Synthesis {
  readonly format: 'hostwright.synth/1';
  readonly accounts: readonly SynthesisAccount[];
  /** What rules say of constructs that are neither accounts nor manifests. */
  readonly groups: readonly { readonly calls: readonly Place[]; readonly problems: ManifestDocument['problems'] }[];
}

export interface SynthesisAccount {
  /** null: the workspace that names the program. */
  readonly name: string | null;
  /** What its workspace file says beside the account. */
  readonly spec: unknown;
  readonly calls: readonly Place[];
  readonly problems: ManifestDocument['problems'];
  readonly manifests: readonly ManifestDocument[];
}

export class App extends Construct {
  readonly #adjustments: ((manifest: Manifest) => void)[] = [];
  readonly #checks: ((construct: Construct) => readonly CheckFinding[])[] = [];

  constructor() {
    super(undefined, 'app');
  }

  /**
   * A rule of your own. It is asked about each construct of a class, the app and groups of your own too; what it answers is
   * told at the line where that construct was made.
   */
  check<Checked extends Construct>(
    type: abstract new (...given: never[]) => Checked,
    test: (construct: Checked) => CheckAnswer,
  ): this {
    this.#checks.push((construct) => (isA(construct, type) ? findingsIn(test(construct), type.name) : []));
    return this;
  }

  /**
   * Lays props over those of each manifest of a class, by the rules of `merge`, before checks are asked: for what packages
   * declare that are not yours.
   */
  adjust<Adjusted extends Manifest>(
    type: abstract new (...given: never[]) => Adjusted,
    over: (manifest: Adjusted) => Over<Adjusted['props']> | undefined,
  ): this {
    this.#adjustments.push((manifest) => {
      const more = isA(manifest, type) ? over(manifest) : undefined;
      if (more !== undefined) manifest.add(more);
    });
    return this;
  }

  /** Everything that it declares, as values. Nothing can be made in it afterwards. */
  synth(): Synthesis {
    const everything = this.descendants();
    for (const one of everything) if (isManifest(one)) for (const adjust of this.#adjustments) adjust(one);
    // A test may read it several times.
    this.#adjustments.length = 0;
    this.close();
    const manifests = new Map<Account | undefined, Manifest[]>();
    for (const one of everything) {
      if (one instanceof Account && !manifests.has(one)) manifests.set(one, []);
      if (!isManifest(one)) continue;
      const own = manifests.get(one.account);
      if (own === undefined) manifests.set(one.account, [one]);
      else own.push(one);
    }
    if (manifests.size === 0) manifests.set(undefined, []);
    const all = [...manifests].sort(([left], [right]) => Number(left !== undefined) - Number(right !== undefined));
    const groups = [this, ...everything].filter((one) => !(one instanceof Account) && !(one instanceof Manifest));
    return {
      format: 'hostwright.synth/1',
      accounts: all.map(([account, own]) => ({
        ...this.#head(account),
        manifests: own.map((one) => this.#document(one)),
      })),
      groups: groups.flatMap((group) => {
        const problems = this.#found(group);
        return problems.length === 0 ? [] : [{ calls: group.calls, problems }];
      }),
    };
  }

  #head(account: Account | undefined): Omit<SynthesisAccount, 'manifests'> {
    if (account === undefined) return { name: null, spec: {}, calls: [], problems: [] };
    const { value, problems } = account.toSpec();
    return {
      name: account.name,
      spec: value,
      calls: account.calls,
      problems: [...problems.map((problem) => ({ ...problem, code: 'HW1505' as const })), ...this.#found(account)],
    };
  }

  #document(manifest: Manifest): ManifestDocument {
    const document = manifest.toDocument();
    return { ...document, problems: [...document.problems, ...this.#found(manifest)] };
  }

  #found(construct: Construct): ManifestDocument['problems'] {
    return this.#checks
      .flatMap((check) => check(construct))
      .map(({ message, at = '', severity }) => ({
        code: severity === 'warning' ? 'HW1525' : 'HW1520',
        pointer: at === '' ? '' : `/${at.replace(/^\//, '')}`,
        what: message,
      }));
  }
}

function isA<Type>(one: unknown, type: abstract new (...given: never[]) => Type): one is Type {
  return one instanceof type;
}

function isManifest(construct: Construct): construct is Manifest {
  return construct instanceof Manifest;
}

/** Programs may be plain JavaScript, and rules be written in a hurry. */
function findingsIn(answer: unknown, type: string): readonly CheckFinding[] {
  if (answer === undefined) return [];
  const list: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  return list.map((one) => {
    if (typeof one === 'string') return { message: one };
    if (typeof one === 'object' && one !== null && 'message' in one && typeof one.message === 'string')
      return one as CheckFinding;
    const given = one instanceof Promise ? 'a promise, and nobody waits for it' : `${String(one)} (${typeof one})`;
    throw new TypeError(
      `The check of ${type} answered ${given}. It has to answer what is wrong, as text or \`{ message, at, severity }\`, or undefined.`,
    );
  });
}
