// The tree that a program builds: an app, its accounts, groups of one's own, and manifests as leaves. Where something
// stands in the tree is never part of a name: moving code around replaces nothing.
import type { Place } from './place.ts';
import { capturePlaces } from './place.ts';

/** Anything that others can be made in. Extend it for a group of manifests that belong together. */
export abstract class Construct {
  /** What it is called in messages; for manifests and accounts also what it is called on the platform's side. */
  readonly name: string;
  /** What it was made in; undefined for the app alone. */
  readonly scope: Construct | undefined;
  /** The calls of the program that made it, the innermost first. */
  readonly calls: readonly Place[];
  readonly #children: Construct[] = [];
  #isRead = false;

  constructor(scope: Construct | undefined, name: string) {
    // Checked here and not only by types: programs may be plain JavaScript.
    if (scope !== undefined && !(scope instanceof Construct))
      throw new TypeError('The first argument has to be an App, an Account or another construct.');
    if (typeof name !== 'string') throw new TypeError('The second argument has to be a name, as text.');
    this.scope = scope;
    this.name = name;
    this.calls = capturePlaces();
    scope?.adopt(this);
  }

  /** Its app was read: nothing of it can change any more. */
  protected get isRead(): boolean {
    return this.#isRead;
  }

  /** What was made in it, in order. */
  get children(): readonly Construct[] {
    return this.#children;
  }

  /** Everything in it, in the order in which it was made. */
  descendants(): readonly Construct[] {
    const found: Construct[] = [];
    // Not by recursion: a deep tree must not end in a stack that is too small.
    const left: Construct[] = [...this.#children].reverse();
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      found.push(next);
      left.push(...[...next.#children].reverse());
    }
    return found;
  }

  /** From here on nothing can be made in it: its app was read, and would not have it. */
  protected close(): void {
    for (const one of [this, ...this.descendants()]) one.#isRead = true;
  }

  /** Takes in what is made in it; called by the constructor of what is made. */
  protected adopt(child: Construct): void {
    if (this.#isRead)
      throw new TypeError(
        `${child.name} is made after its app was read, and would be missing: make it before the program ends, or before the test looks at the app.`,
      );
    this.#children.push(child);
  }
}
