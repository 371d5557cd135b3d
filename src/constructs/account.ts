// An account that a program declares manifests for. Without one they belong to the workspace that names the program.
import { Construct } from './construct.ts';
import { frozenCopy, jsonOf } from './json.ts';
import type { ValueProblem } from './json.ts';
import type { AccountProps } from './generated/account-props.ts';

export class Account extends Construct {
  readonly props: Readonly<AccountProps>;

  /** `name` is the id of the account, `props` what the workspace file of it says beside. */
  constructor(scope: Construct, name: string, props: AccountProps = {}) {
    super(scope, name);
    const around = accountOf(scope);
    if (around !== undefined)
      throw new TypeError(`The account ${name} is made in the account ${around.name}; make it in the app.`);
    this.props = frozenCopy(props) as Readonly<AccountProps>;
  }

  /** What the workspace file says beside the account. */
  toSpec(): { readonly value: unknown; readonly problems: readonly ValueProblem[] } {
    return jsonOf(this.props, () => ({ what: 'is no plain value' }));
  }
}

/** The account that something stands in. */
export function accountOf(construct: Construct): Account | undefined {
  for (let at: Construct | undefined = construct; at !== undefined; at = at.scope) if (at instanceof Account) return at;
  return undefined;
}
