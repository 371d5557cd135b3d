// What `explain` tells of a diagnostic beside its summary: written for each code by hand, in plain words.

/** Why a diagnostic is reported and what to do about it. */
export interface Advice {
  /** What it means and why it happens, in full sentences. */
  readonly why: string;
  /** A command or an edit that helps. Absent: the remedy that stands beside the summary in the sources. */
  readonly fix?: string;
  /** Lines that can be copied: YAML or commands. */
  readonly example?: string;
}

/** By code. */
export type AdviceTable = Readonly<Record<string, Advice>>;
