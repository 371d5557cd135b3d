// What a user is declared with.

export interface UserSpec {
  readonly email: string;
  readonly fname: string;
  readonly lname: string;
  readonly companyName: string;
  readonly locale: string;
  readonly billingTerm: string;
  readonly setResellerBillingPlanId: number;
  readonly credentialsTo: { readonly file: string };
}
