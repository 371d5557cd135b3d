// What holds for every request: account, credential, answers. Panel accounts and users.
import type { RuleTable } from './rule.ts';

const OTHER =
  'Set HOSTWRIGHT_TOKEN to a session token or an API key of a user. `hostwright doctor` shows what a credential may do.';

export const ACCOUNT_RULES: RuleTable = {
  'CNV-06': ['Sessions and API keys are never asked for OAuth scopes.', 'Scopes matter for OAuth tokens only.'],
  'CNV-07': [
    'Every request about an account names the account.',
    'Without it the platform refuses the request.',
    'Set `spec.account` in hostwright.yaml or `--account`.',
  ],
  'CNV-10': [
    'An OAuth token without the needed scope is refused before anything else is looked at.',
    'The section cannot be read or written with this token.',
    'Use a token with the scope that the message names, and list it in `spec.credential.scopes`.',
  ],
  'CNV-11': [
    'Some requests are closed to OAuth tokens, whatever their scopes: purchases, users and changes of panel accounts.',
    'The action cannot be done with this credential.',
    OTHER,
  ],
  'CNV-13': [
    'Some requests need a user behind the credential: purchases and changes of plan.',
    'A key of the system, without a user, is refused.',
    OTHER,
  ],
  'CNV-16': [
    'A request about a site needs a role on that site.',
    'The user of the credential may not do it.',
    'Have the role given in the dashboard, or use the credential of another user.',
  ],
  'CNV-17': [
    'Trial accounts may not buy anything.',
    'The order was refused. Nothing was charged.',
    'Upgrade the account in the dashboard, then run `hostwright apply` again.',
  ],
  'PNL-04': [
    'A panel account is active, being set up, suspended for a payment, suspended by the platform, or about to be deleted.',
    'Only an active one is changed.',
    'Pay what is due, or ask the platform, then run `hostwright plan` again.',
  ],
  'PNL-05': [
    'The platform shows panel accounts with a delay of some minutes.',
    'A change that was just made may not be visible yet.',
    'Run `hostwright plan` again in some minutes.',
  ],
  'PNL-06': [
    'A panel account that was just bought is listed as being set up.',
    'Its numbers are not known yet, so nothing of it is changed.',
    'Run `hostwright apply` again in some minutes.',
  ],
  'PNL-07': ['Accounts for mail only, and erased ones, are not listed.', 'They cannot be managed here.'],
  'PNL-09': [
    'What belongs to another account is unknown here, and refusals come in a fixed order.',
    'The first reason is reported.',
    'Check `spec.account` and the permissions of the credential.',
  ],
  'PNL-11': [
    'The list of panel accounts ends at 500.',
    'In a larger account, one that is not listed is unknown, not absent. None is bought then.',
    'Write `metadata.id` with the username of the account.',
  ],
  'PNL-12': [
    'When the panel cannot be read, its list is refused and never shown as empty.',
    'Panel accounts are unknown in this run, and not changed.',
    'Run `hostwright plan` again in some minutes.',
  ],
  'PNL-13': [
    'A panel account is bought with a package, a term and a domain of your own.',
    'It costs money every term.',
    'Allow it with `--allow-charges 1`.',
  ],
  'PNL-14': ['A panel account gets another package, and nothing else with it.', 'Term and domain stay.'],
  'PNL-15': [
    'The package of a panel account changes one at a time.',
    'A change is on its way already.',
    'Run `hostwright apply` again in some minutes.',
  ],
  'PNL-16': [
    'Purchases and changes of panel accounts are refused by reasons of their own, and nothing is charged.',
    'The domain may belong to another account, or not be registered.',
    'Correct what the answer of the platform names, then run `hostwright apply` again.',
  ],
  'PNL-17': [
    'A smaller package has to hold what the account uses.',
    'The change is refused until it does.',
    'Free the space in the panel, or keep the package.',
  ],
  'PNL-18': [
    'To delete a panel account schedules its deletion. Only people bring it back.',
    'Until the date that the platform sets it can be restored in the dashboard.',
  ],
  'PNL-21': [
    'Term, domain and server of a panel account stay as they were bought.',
    'A difference is reported, and nothing is sent.',
    'Correct `spec.order` in the manifest, or buy another account.',
  ],
  'USR-01': [
    'The list shows the users that are linked to the account.',
    'A user that is not listed may exist elsewhere.',
  ],
  'USR-02': [
    'An administrator of a reseller account makes a user together with an account of its own.',
    'Another credential is refused.',
    'Use the credential of an administrator of the reseller account.',
  ],
  'USR-03': [
    'Password, account id and token of a new user are told once, in the answer to making it.',
    'They have to be written to a place that was named before.',
    'Write `credentialsTo: { file: credentials/client-a.json }`, and list the folder under `spec.secrets.keep` in hostwright.yaml.',
  ],
  'USR-04': [
    'An administration account of the platform makes no users.',
    'The request was refused.',
    'Use the credential of a reseller account.',
  ],
  'USR-05': [
    'The platform lets nobody change or remove a user over the API.',
    'A difference is reported, and a person makes the change.',
    'Make the change in the dashboard. The next plan sees that it is done.',
  ],
  'USR-07': [
    'Company, term and billing plan of a user are never shown.',
    'They count when the user is made, and cannot be compared afterwards.',
  ],
  'CNV-12': [
    'The transfer code of a registration is read with the scope for writing.',
    'A token for reading alone cannot see it.',
    'Use a credential with `domains:write`.',
  ],
  'CNV-35': [
    'Some answers of the platform hold secrets, such as passwords and login URLs.',
    'They are never part of a plan, a report or the ledger.',
  ],
};
