// One manifest that a program declares. The classes of the kinds are generated from the schemas and extend this one.
import type { Account } from './account.ts';
import { accountOf } from './account.ts';
import { Construct } from './construct.ts';
import type { ValueProblem } from './json.ts';
import { changedIn, frozenCopy, jsonOf } from './json.ts';
import type { MergeRule, Over } from './merge.ts';
import { mergeLayers } from './merge.ts';
import type { Place } from './place.ts';

/** How a manifest is written where another one is named: `{ ref }`, its address, or its name alone. */
export interface ReferencePlace {
  readonly kind: string;
  readonly as: 'ref' | 'address' | 'name';
}

/** What is generated of each kind beside its class. */
export interface KindTable {
  readonly kind: string;
  /** The fields of `metadata` beside the name. */
  readonly metadata: readonly string[];
  /** Where another manifest may stand, by the place in the props: `contacts/owner`, `domains/*\/moveFrom`. */
  readonly references: Readonly<Record<string, ReferencePlace>>;
  /** Where an output of another object may stand, by the same. */
  readonly outputs: readonly string[];
  /** How props merge. */
  readonly rule: MergeRule;
}

/** A manifest as the program that reads it takes it. */
export interface ManifestDocument {
  readonly value: unknown;
  /** The calls of the program that made it, the innermost first. */
  readonly calls: readonly Place[];
  readonly problems: readonly (ValueProblem & {
    readonly code: 'HW1505' | 'HW1510' | 'HW1520' | 'HW1523' | 'HW1525';
  })[];
}

/** What every kind of manifest has: a kind, a name and its props, which cannot be changed any more. */
export abstract class Manifest<Kind extends string = string, Props extends object = object> extends Construct {
  readonly kind: Kind;
  #props: Readonly<Props>;
  readonly #table: KindTable;
  readonly #given: (readonly [given: object, copy: object])[];

  constructor(scope: Construct, name: string, props: Props, table: KindTable & { readonly kind: Kind }) {
    super(scope, name);
    if (typeof props !== 'object' || props === null || Array.isArray(props))
      throw new TypeError(`The third argument of \`new ${table.kind}\` has to be an object.`);
    this.kind = table.kind;
    this.#props = frozenCopy(props) as Readonly<Props>;
    this.#table = table;
    this.#given = [[props, this.#props]];
  }

  /** What it declares: a copy of what it was given, with what was added. */
  get props(): Readonly<Props> {
    return this.#props;
  }

  /** Lays more props over its own, as `merge` does: a class can add its mailboxes to a mailspace that others fill too. */
  add(over: Over<Props>): this {
    if (this.isRead)
      throw new TypeError(`${this.address} is changed after its app was read, and the change would be missing.`);
    this.#props = frozenCopy(mergeLayers([this.#props, over], this.#table.rule)) as Readonly<Props>;
    this.#given.push([over, frozenCopy(over) as object]);
    return this;
  }

  /** What plans and references call it: `Site/shop`. */
  get address(): string {
    return `${this.kind}/${encodeSegment(this.name)}`;
  }

  /** The account that it is declared in; undefined where the program names none. */
  get account(): Account | undefined {
    return accountOf(this);
  }

  /** The document that YAML would hold, where it was made, and what no document can hold. */
  toDocument(): ManifestDocument {
    const elsewhere = new Set<string>();
    const { value, problems } = jsonOf(this.props, (instance, pattern) => this.#resolve(instance, pattern, elsewhere));
    const { metadata, lifecycle, spec } = this.#parts(value as Readonly<Record<string, unknown>>);
    return {
      value: {
        apiVersion: 'hostwright/v1',
        kind: this.kind,
        metadata,
        ...(lifecycle !== undefined && { lifecycle }),
        spec,
      },
      calls: this.calls,
      problems: [
        ...problems.map((problem) => ({
          ...problem,
          code: elsewhere.has(problem.what) ? ('HW1510' as const) : ('HW1505' as const),
        })),
        ...this.#given
          .flatMap(([given, copy]) => changedIn(given, copy))
          .map((pointer) => ({
            pointer,
            what: `was changed after \`new ${this.kind}\` had taken it`,
            code: 'HW1523' as const,
          })),
      ],
    };
  }

  /** The props are flat: what belongs to `metadata` and `lifecycle` stands beside the fields of the spec. */
  #parts(props: Readonly<Record<string, unknown>>): Readonly<Record<'metadata' | 'lifecycle' | 'spec', unknown>> {
    const { lifecycle, ...others } = props;
    const isMeta = ([field]: readonly [string, unknown]): boolean => this.#table.metadata.includes(field);
    return {
      metadata: { name: this.name, ...Object.fromEntries(Object.entries(others).filter(isMeta)) },
      lifecycle,
      spec: Object.fromEntries(Object.entries(others).filter((entry) => !isMeta(entry))),
    };
  }

  #resolve(
    instance: object,
    pattern: string,
    elsewhere: Set<string>,
  ): { readonly value: unknown } | { readonly what: string } {
    const { references, outputs } = this.#table;
    const inside = (root: Manifest, value: unknown): { readonly value: unknown } | { readonly what: string } => {
      const [own, other] = [accountOf(this), accountOf(root)];
      if (own === other) return { value };
      const what = `names ${root.address} of ${nameOf(other)}; this manifest belongs to ${nameOf(own)}`;
      elsewhere.add(what);
      return { what };
    };
    if (instance instanceof OutputReference) {
      const { root, ref, output } = instance as OutputReference;
      if (outputs.includes(pattern)) return inside(root, { ref, output });
      return { what: `is the output ${output} of ${ref}, and no output of another object can stand here` };
    }
    if (isManifest(instance)) {
      const place = Object.hasOwn(references, pattern) ? references[pattern] : undefined;
      if (place === undefined)
        return { what: `is the ${instance.kind} ${instance.name}, and no manifest can stand here` };
      if (place.kind !== instance.kind)
        return { what: `is the ${instance.kind} ${instance.name}, and a ${place.kind} has to stand here` };
      const forms = { ref: { ref: instance.address }, address: instance.address, name: instance.name };
      return inside(instance, forms[place.as]);
    }
    if (instance instanceof Handle) return { what: `is ${instance.address}; take one of its outputs` };
    const { name = '' } = (instance.constructor as { readonly name?: string } | undefined) ?? {};
    return {
      what: `is ${name === '' ? 'an instance of a class' : `an instance of ${name}`}, and a manifest holds plain values only`,
    };
  }
}

function isManifest(instance: object): instance is Manifest {
  return instance instanceof Manifest;
}

function nameOf(account: Account | undefined): string {
  return account === undefined ? 'no account' : `the account ${account.name}`;
}

/** The manifest itself, or its address as YAML has it. */
export type ReferenceTo<Kind extends string> = Manifest<Kind> | { readonly ref: string };

/** A value that another object has and that stands in place of this. Get it from a handle, such as `site.siteDomain(...)`. */
export class OutputReference<Output extends string = string> {
  /** The manifest that the object is in. */
  readonly root: Manifest;
  /** The address of the object. */
  readonly ref: string;
  readonly output: Output;

  constructor(root: Manifest, ref: string, output: Output) {
    this.root = root;
    this.ref = ref;
    this.output = output;
  }
}

/** An object in a manifest that has values which other manifests can take. */
export class Handle {
  /** The manifest that it is in. */
  readonly root: Manifest;
  /** `Site/shop/SiteDomain/www.example.com` */
  readonly address: string;

  constructor(root: Manifest, kind: string, name: string) {
    this.root = root;
    this.address = `${root.address}/${kind}/${encodeSegment(name)}`;
  }

  protected outputOf<Output extends string>(output: Output): OutputReference<Output> {
    return new OutputReference(this.root, this.address, output);
  }
}

/** A name as a part of an address, as plans write it: what would be read as another part is percent-encoded. */
function encodeSegment(name: string): string {
  return name.replace(/[\u0000-\u0020%/\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (character) =>
    encodeURIComponent(character),
  );
}
