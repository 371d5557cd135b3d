// How a kind says which DNS records its objects need published. Pure: what it asks for is read by the one command that
// wants it.
import type { DnsRecord } from '../../dns.ts';
import type { JsonObject } from '../../json.ts';
import type { Member } from '../collection.ts';
import type { Answers } from '../read.ts';

/** What the DNS records of an object are worked out from. */
export interface RecordContext<Spec> {
  /** Declared fields only. */
  readonly desired: Partial<Spec>;
  /** null while it is not there. */
  readonly live: { readonly id: string; readonly spec: Partial<Spec>; readonly computed: JsonObject } | null;
  /** The live object that it belongs to; null for a root, and while that is not there. */
  readonly parent: Member | null;
  /** What the platform told when it was made, as far as the ledger knows. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** How the platform is asked to look at the records of a domain again. */
export interface RecordCheck {
  readonly domain: string;
  /** A POST that stores its result, and what it is sent. */
  readonly path: string;
  readonly body: JsonObject;
  /** A read whose `checked_at` says when it last looked. */
  readonly report: string;
  /** null: it never looked, or does not say when. */
  readonly checkedAt: string | null;
}

/** The DNS records that objects of a kind need published. */
export interface RecordsDefinition<Spec> {
  /**
   * Reads that nothing but the records needs, by name: made by `hostwright dns` alone, equal paths once. Of several
   * paths the first that is there answers. A read that fails leaves its answer out; that something is not there
   * (404, 405) is no failure to be told of.
   */
  readonly reads?: (context: RecordContext<Spec>) => Readonly<Record<string, readonly string[]>>;
  readonly records: (context: RecordContext<Spec>, answers: Answers) => readonly DnsRecord[];
  /** undefined: the platform does not look at them itself. */
  readonly check?: (context: RecordContext<Spec>, answers: Answers) => RecordCheck | undefined;
}
