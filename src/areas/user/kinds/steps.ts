// The one request about a user.
import type { StepContext } from '../../../model/kind/kind.ts';
import type { Step } from '../../../model/plan/step.ts';
import { path } from '../../../model/plan/step.ts';
import type { UserSpec } from './spec.ts';

const LOST_GRACE_MS = 10_000;

export const LOST_REMEDY =
  'Have the user set a new password with "forgot password" on the login page, and make a token there.';

/**
 * Makes the user and its sub-account. That no list shows it afterwards proves nothing, so it is never sent again
 * unasked (USR-06).
 */
export function createSteps({ desired }: StepContext<UserSpec>): readonly Step[] {
  // Without these four none is made.
  const { email, fname, lname, credentialsTo, companyName, locale, billingTerm, setResellerBillingPlanId } =
    desired as Partial<UserSpec> & Pick<UserSpec, 'email' | 'fname' | 'lname' | 'credentialsTo'>;
  return [
    {
      do: 'request',
      name: 'create',
      method: 'POST',
      path: path`/api/users`,
      body: {
        user: {
          fname,
          lname,
          email,
          ...(companyName !== undefined && { company_name: companyName }),
          ...(locale !== undefined && { locale }),
          ...(billingTerm !== undefined && { billing_term: billingTerm }),
          ...(setResellerBillingPlanId !== undefined && { set_reseller_billing_plan_id: setResellerBillingPlanId }),
        },
      },
      idempotent: false,
      oneTimeSecret: {
        ...credentialsTo,
        secrets: { password: '/user/password', apiToken: '/user/api_token' },
        beside: { id: '/user/id', accountId: '/user/account_id' },
        remedy: LOST_REMEDY,
        rule: 'USR-03',
      },
      answers: [
        {
          status: '2xx',
          has: '/user/id',
          then: 'done',
          capture: { id: '/user/id', accountId: '/user/account_id' },
          rule: 'USR-02',
        },
      ],
      recovery: {
        lookUp: {
          read: path`/api/users`,
          rows: '/users',
          where: [{ pointer: '/email', value: email }],
          capture: { id: '/id' },
          since: '/created_at',
        },
        ifNotFound: 'unknown',
        graceMs: LOST_GRACE_MS,
        rule: 'GAP-56',
      },
      reason: 'make the user and a sub-account for it; neither can be changed or removed over the API',
      rule: 'USR-02',
    },
  ];
}
