// The only list of the conformance cases.
import type { ConformanceCase } from '../context.ts';
import { cartCases } from './carts.ts';
import { cdnCases } from './cdn.ts';
import { conventionCases } from './conventions.ts';
import { domainCases } from './domains.ts';
import { edgeRuleCases } from './edge-rules.ts';
import { partGapCases } from './gaps-parts.ts';
import { gapCases } from './gaps.ts';
import { mailCases } from './mail.ts';
import { orderRequestCases } from './order-requests.ts';
import { orderCases } from './orders.ts';
import { sitePartCases } from './site-parts.ts';
import { siteCases } from './sites.ts';
import { taskCases } from './tasks.ts';
import { trafficCases } from './traffic.ts';

export const cases: readonly ConformanceCase[] = [
  ...conventionCases, ...siteCases, ...taskCases, ...mailCases, ...trafficCases, ...domainCases, ...cdnCases, ...edgeRuleCases, ...sitePartCases, ...orderRequestCases, ...cartCases, ...orderCases, ...gapCases, ...partGapCases,
];
