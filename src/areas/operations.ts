// The operations of all areas, and the functions of the areas that act or read outside plans.
import { accountOperations } from './account/operations.ts';
import { cdnOperations } from './cdn/operations.ts';
import type { Operation } from './common/operation.ts';
import { contactOperations } from './registration/contact-operations.ts';
import { registrationOperations } from './registration/registration-operations.ts';
import { shieldOperations } from './shield/operations.ts';
import { archiveOperations } from './site/archive-operations.ts';
import { siteOperations } from './site/operations.ts';

/** What `run` can do. The pair of name and kind is unique. */
export const OPERATIONS: readonly Operation[] = [
  ...siteOperations,
  ...archiveOperations,
  ...cdnOperations,
  ...shieldOperations,
  ...registrationOperations,
  ...contactOperations,
  ...accountOperations,
];

export type { Asked, GivenOptions, OpenAccount, OpenSite, Operation } from './common/operation.ts';
export { begunIn, failed, notConfirmed, notNow, unknownEnd } from './common/operation.ts';
export { requestChecks } from './mail/record-checks.ts';
export { SITE } from './site/operations.ts';
export type { LogName, LogOptions, MetricName, MetricOptions, SummaryOptions } from './site/traffic.ts';
export { followLog, readLog, readMetrics, summarizeLog } from './site/traffic.ts';
