// What a look at a set-up says: findings with a verdict each, the settings with where they come from, and the reads
// that were sent.

import type { Finding, Read, Setting } from './generated/output/doctor.ts';

export type { Finding, Setting, Read as SentRead } from './generated/output/doctor.ts';

/** `unknown` is neither good nor bad: no read tells. */
export type Verdict = Finding['verdict'];

export type FindingArea = Finding['area'];

export type SettingOrigin = Setting['from'];

export interface SettingValue {
  readonly from: SettingOrigin;
  readonly value: string;
}

export interface DoctorReport {
  readonly findings: readonly Finding[];
  readonly settings: readonly Setting[];
  readonly requests: readonly Read[];
}

export const DOCTOR_FORMAT = 'hostwright.doctor/1';
