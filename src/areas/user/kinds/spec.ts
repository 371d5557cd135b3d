// What a user is declared with.
import type { SecretDestination } from '../../../model/plan/step.ts';

export interface UserSpec {
  readonly email: string;
  readonly fname: string;
  readonly lname: string;
  readonly companyName: string;
  readonly locale: string;
  readonly billingTerm: string;
  readonly setResellerBillingPlanId: number;
  readonly credentialsTo: SecretDestination;
}
