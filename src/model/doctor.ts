// What a look at a set-up says: findings with a verdict each, the settings with where they come from, and the reads
// that were sent.

/** `unknown` is neither good nor bad: no read tells. */
export type Verdict = 'ok' | 'warning' | 'problem' | 'unknown';

export type FindingArea =
  'program' | 'settings' | 'platform' | 'credential' | 'account' | 'features' | 'ledger' | 'secrets' | 'forge';

export interface Finding {
  readonly area: FindingArea;
  /** What was looked at, the same in every run: `clock`, `scope domains:write`. */
  readonly check: string;
  readonly verdict: Verdict;
  /** What is so, in full sentences. */
  readonly says: string;
  /** What to do; with every problem. */
  readonly remedy?: string;
}

export type SettingOrigin = 'flag' | 'environment' | 'file' | 'default';

export interface SettingValue {
  readonly from: SettingOrigin;
  readonly value: string;
}

/** One setting as it counts, and what it was preferred to. */
export interface Setting extends SettingValue {
  readonly name: string;
  readonly beats: readonly SettingValue[];
}

/** One read, as it was sent and answered. */
export interface SentRead {
  readonly path: string;
  /** With the header that names the account. */
  readonly account: boolean;
  /** `200`, `403 insufficient_scope`, `no answer`. */
  readonly answer: string;
}

export interface DoctorReport {
  readonly findings: readonly Finding[];
  readonly settings: readonly Setting[];
  readonly requests: readonly SentRead[];
}

export const DOCTOR_FORMAT = 'hostwright.doctor/1';
