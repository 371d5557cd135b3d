// The root of a program: `export default` one of these. What it comes to is one JSON document, which is all that leaves
// the program.
import { Account } from './account.ts';
import { Construct } from './construct.ts';
import { Manifest } from './manifest.ts';
import type { ManifestDocument } from './manifest.ts';
import type { Place } from './place.ts';

/** What is told of one construct; undefined where nothing is wrong with it. */
export type CheckAnswer = string | readonly string[] | undefined;

/** What a program comes to. */
export interface Synthesis {
  readonly format: 'hostwright.synth/1';
  readonly accounts: readonly SynthesisAccount[];
}

export interface SynthesisAccount {
  /** null: the workspace that names the program. */
  readonly name: string | null;
  /** What its workspace file says beside the account. */
  readonly spec: unknown;
  readonly place?: Place;
  readonly problems: ManifestDocument['problems'];
  readonly manifests: readonly ManifestDocument[];
}

interface Check {
  readonly refusals: (construct: Construct) => readonly string[];
}

export class App extends Construct {
  readonly #checks: Check[] = [];

  constructor() {
    super(undefined, 'app');
  }

  /**
   * A rule of your own. It is asked about each construct of a class; a text that it returns is an error at the line where
   * that construct was made.
   */
  check<Checked extends Construct>(
    type: abstract new (...given: never[]) => Checked,
    test: (construct: Checked) => CheckAnswer,
  ): this {
    this.#checks.push({
      refusals: (construct) => {
        const answer = construct instanceof type ? test(construct) : undefined;
        return answer === undefined ? [] : typeof answer === 'string' ? [answer] : answer;
      },
    });
    return this;
  }

  /** Everything that it declares, as values. */
  synth(): Synthesis {
    const everything = this.descendants();
    const accounts: readonly (Account | undefined)[] = everything.filter((one) => one instanceof Account);
    const manifests = everything.filter((one): one is Manifest => one instanceof Manifest);
    const alone = manifests.some((one) => one.account === undefined);
    const all = alone || accounts.length === 0 ? [undefined, ...accounts] : accounts;
    return {
      format: 'hostwright.synth/1',
      accounts: all.map((account) => ({
        ...this.#head(account),
        manifests: manifests.filter((one) => one.account === account).map((one) => this.#document(one)),
      })),
    };
  }

  #head(account: Account | undefined): Omit<SynthesisAccount, 'manifests'> {
    if (account === undefined) return { name: null, spec: {}, problems: [] };
    const { value, problems } = account.toSpec();
    return {
      name: account.name,
      spec: value,
      ...(account.place !== undefined && { place: account.place }),
      problems: [...problems.map((problem) => ({ ...problem, code: 'HW1505' as const })), ...this.#refusals(account)],
    };
  }

  #document(manifest: Manifest): ManifestDocument {
    const document = manifest.toDocument();
    const refused = this.#refusals(manifest);
    return refused.length === 0 ? document : { ...document, problems: [...document.problems, ...refused] };
  }

  #refusals(construct: Construct): ManifestDocument['problems'] {
    return this.#checks.flatMap(({ refusals }) =>
      refusals(construct).map((what) => ({ code: 'HW1520', pointer: '', what: String(what) })),
    );
  }
}
