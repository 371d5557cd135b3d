// Mailspaces and what is in them.
import type { RuleTable } from './rule.ts';

const LATER = 'Run `hostwright plan` again in some minutes.';
const CORRECT = 'Correct what the answer of the platform names, then run `hostwright apply` again.';

export const MAIL_RULES: RuleTable = {
  'ALS-02': [
    'A list of aliases that cannot be read is refused, and a very long one is cut off without a word.',
    'An alias that is missing in a list that may be cut off is not taken as absent.',
    'Look in the dashboard, or keep fewer mailboxes and groups in one mailspace.',
  ],
  'ALS-03': [
    'An alias points at the address of a mailbox, a group or a mailing list, never at another alias.',
    'The new target is looked for before the alias leaves the old one.',
    'Correct the target of the alias, or declare what it points at.',
  ],
  'ALS-04': [
    'An alias without a domain gets the primary domain of the mailspace.',
    'The plan sends whole addresses, so nothing is added.',
  ],
  'ALS-05': [
    'To make the same alias again changes nothing. One that is not possible is refused.',
    'The address is taken, its domain is not in the mailspace, or its target does not exist.',
    'Correct the address or the target of the alias.',
  ],
  'ALS-07': ['An alias is removed by its address.', 'Mail to that address is refused from then on.'],
  'ALS-08': [
    'When the platform does not know an alias, it is not there.',
    'It was removed already. A primary address of a mailbox counts as unknown too.',
  ],
  'ALS-09': [
    'A write to an alias may be refused, or lose its answer after it was done.',
    'The aliases are read before anything is repeated.',
    LATER,
  ],
  'ALS-10': [
    'The platform cannot change an alias.',
    'To point it elsewhere, it is removed and made anew, one right after the other. Another address is another alias.',
  ],
  'ALS-11': [
    'Mailboxes, groups, mailing lists and aliases of a mailspace share one set of addresses.',
    'An address can be only one of them.',
    'Remove the address where it is declared the second time.',
  ],
  'GRP-02': [
    'The list of groups can miss some without saying so: one read yields 500 mailboxes and groups at most.',
    'In a mailspace that is so large, nothing that seems to be missing is made or removed.',
    'Keep fewer mailboxes and groups in one mailspace, or make the change in the dashboard.',
  ],
  'GRP-03': [
    'Groups and their members can be unreadable, each by itself.',
    'What is unreadable is neither compared nor changed.',
    LATER,
  ],
  'GRP-04': [
    'The members of a group are shown in the view of that group only.',
    'The plan reads each declared group by itself.',
  ],
  'GRP-05': [
    'The name of a new group becomes its description where none is given.',
    'An empty description cannot be made.',
    'Write a `description`, or leave the field out.',
  ],
  'GRP-06': [
    'The members of a group are mailboxes of its own mailspace.',
    'Addresses elsewhere are refused.',
    'Use an alias or a forwarding mailbox for other addresses.',
  ],
  'GRP-07': [
    'A new group may be answered without an id, and is made all the same.',
    'Apply finds it by its address and never makes it twice.',
  ],
  'GRP-08': [
    '"Unknown group" may also mean that the group belongs to somebody else or cannot be read.',
    'It is not taken as a proof that the group is gone.',
    LATER,
  ],
  'GRP-09': [
    'A change of a group is done before its answer is read back.',
    'An error may come after the change was made, so the group is read again.',
    LATER,
  ],
  'GRP-10': [
    'The members of a group change by way of its mailboxes, each with the whole list of its groups.',
    'Where the list of groups may be cut off, a membership could be lost, so nothing is sent.',
    'Change the members in the dashboard.',
  ],
  'GRP-11': [
    'A group keeps its name and its address.',
    'Neither can be changed by the API.',
    'Declare a group with the new address, and remove the old one.',
  ],
  'MBX-03': [
    'A mailbox is addressed by its id, not by its address.',
    'An id that is unknown was deleted meanwhile.',
    LATER,
  ],
  'MBX-07': [
    'When the mail server cannot be read, the view of a mailbox shows empty values instead of an error.',
    'Empty values are not taken as real while the list says otherwise.',
    LATER,
  ],
  'MBX-08': ['The platform may not know whether an address is free.', 'Then nothing is made at that address.', LATER],
  'MBX-09': [
    'A mailbox is made with an address and a password. Allowed addresses are set afterwards.',
    'For a moment the mailbox takes logins from everywhere.',
  ],
  'MBX-10': [
    'A mailbox is made with a password.',
    'Without one none can be made.',
    'Write where the password comes from: `password: { env: ALICE_PASSWORD }`. List the variable under `spec.secrets.env` in hostwright.yaml.',
  ],
  'MBX-11': ['The answer to making a mailbox does not show everything.', 'Apply reads the mailbox again.'],
  'MBX-12': [
    'When something fails after a mailbox was made, the mailbox stays.',
    'Apply looks for it and continues with a change, and does not make it again.',
    CORRECT,
  ],
  'MBX-15': [
    'A change of a mailbox leaves alone what is not sent.',
    'Fields that the manifest does not name stay as they are.',
  ],
  'MBX-18': [
    'To reactivate a mailbox needs room in the package.',
    'The package is full.',
    'Delete another mailbox, or take a larger package in the dashboard.',
  ],
  'MBX-20': [
    'Allowed addresses are stored in a normal form, at most 20 of them. A wrong one is refused by name, and nothing is written.',
    'Ranges are stored by their first address.',
    'Correct `allowedIps` of the mailbox.',
  ],
  'MBX-21': ['Allowed addresses are missing in the answer to a change.', 'Apply reads the mailbox again to see them.'],
  'MBX-22': [
    'A password is never shown, and the platform keeps a record of each one that is set.',
    'It is sent when the mailbox is made and when `rotate` changes, and never compared.',
    'To set it anew, change `rotate` in the manifest.',
  ],
  'MBX-23': [
    'A deleted mailbox is suspended first and erased after a time of grace.',
    'Until then it can be restored: declare it again.',
  ],
  'MBX-24': [
    'A mailbox that waits for its deletion is restored by making it active.',
    'A mailbox that is declared again gets its mail back, and no new one is made.',
  ],
  'MBX-25': [
    'A mailbox keeps its address.',
    'Another address is another mailbox, without the mail of the first.',
    'Declare the new mailbox, let its owner move the mail, then remove the old one. An alias keeps the old address in use.',
  ],
  'MBX-26': [
    'The package limits the number and the size of mailboxes.',
    'More are refused.',
    'Take a larger package in the dashboard, or delete another mailbox first.',
  ],
  'MBX-29': [
    'A write to the mail server that answers "unavailable" may have been carried out.',
    'The mailbox is read again before anything is repeated.',
    LATER,
  ],
  'MDM-06': [
    'The platform takes scheme, `www.`, path and capitals away from the name of a mail domain.',
    'The manifest has the plain name, so that both agree.',
  ],
  'MDM-07': [
    'A new mail domain is served at once, or waits until its ownership is proven.',
    'Until then it takes no mail, and no addresses can be made on it.',
    'Publish the TXT record that `hostwright dns` shows, then run `hostwright apply` again.',
  ],
  'MDM-10': [
    'The description of a mail domain is set or cleared by itself.',
    'The answer may show the old text, so it is read again.',
  ],
  'MDM-12': [
    'To remove a mail domain takes its DNS records for mail along, where the platform hosts the zone.',
    'Mail to the domain is refused from then on.',
  ],
  'MDM-13': [
    'A mail domain with mailboxes, groups or lists cannot be removed.',
    'Nothing was removed.',
    'Remove what is on the domain first, then run `hostwright apply` again.',
  ],
  'MDM-14': ['The primary domain of a mailspace can never be removed.', 'It lives and ends with the mailspace.'],
  'MDM-15': [
    'A mail domain whose ownership is not proven can be neither changed nor removed.',
    'The change waits.',
    'Publish the TXT record that `hostwright dns` shows, or give the domain up in the dashboard.',
  ],
  'MDM-16': [
    'A mail domain that exists is not added again.',
    'It is in this mailspace already, or in another one.',
    'If it is in another mailspace, remove it there first.',
  ],
  'MDM-17': [
    'Only a "not found" of the mail server itself proves that a mail domain is not there.',
    'Any other failure leaves it unknown.',
    LATER,
  ],
  'MDM-19': [
    'The DNS report takes the plain name of a domain, and looks nothing up itself.',
    'It shows the result of the last check.',
  ],
  'MDM-20': [
    'A DNS check of a mail domain is a write, and its result is kept.',
    'It is sent only when somebody asks for it.',
  ],
  'MDM-22': [
    'For a domain whose zone the platform hosts, the report of DNS records is for reference.',
    'The platform publishes those records itself.',
  ],
  'MDM-27': ['The mail server refuses some changes of domains.', 'The answer of the platform says which.', CORRECT],
  'MSP-06': [
    'A mailspace is bought for one domain, and paid for a year.',
    'A renewal follows unless it is ended in the dashboard.',
    'To allow the purchase write `spec: { order: {} }`, and apply with `--allow-charges 1`.',
  ],
  'MSP-09': [
    'The purchase of a mailspace is refused by reasons of its own, and nothing is charged.',
    'The domain is taken, cannot be used, or the payment is not set up.',
    CORRECT,
  ],
  'MSP-10': [
    'A mailspace that is about to be deleted still holds its domain.',
    'No second one can be bought for it.',
    'Have the old one restored or erased in the dashboard.',
  ],
  'MSP-12': [
    'What is in a mailspace is refused for reasons that come in a fixed order.',
    'The first reason is reported: unknown, not permitted, suspended, about to be deleted, not set up.',
    'Run `hostwright plan` again in a minute. If it stays, look at the mailspace in the dashboard.',
  ],
  'MSP-13': [
    'Permissions count in the workspace that the mailspace belongs to.',
    'A member of another workspace is refused.',
    'Use a credential of the workspace of the mailspace.',
  ],
  'MSP-14': [
    'The package of a mailspace that is about to be deleted, or is not set up, cannot be changed.',
    'Nothing was written.',
    LATER,
  ],
  'MSP-15': [
    'A mailspace that is about to be deleted can be read, and not be changed.',
    'Nothing of it is planned.',
    'Have it restored in the dashboard, or remove its manifest.',
  ],
  'MSP-16': [
    'A suspended mailspace is not even read.',
    'Nothing of it is known, so nothing of it is planned.',
    'Pay what is due, or ask the platform, then run `hostwright plan` again.',
  ],
  'MSP-17': [
    'The TXT record for a mailspace is shown until the platform has seen it.',
    'That it is no longer asked for does not mean that the mailspace is set up.',
    'Run `hostwright apply` again in some minutes.',
  ],
  'MSP-19': ['A change of the package of a mailspace is a purchase.', 'It costs money.'],
  'MSP-21': [
    'Of a mailspace nothing can be changed but its package.',
    'Its primary domain stays.',
    'For another primary domain buy another mailspace.',
  ],
  'MSP-23': [
    'A list of a mailspace that cannot be read is refused, and never shown as empty.',
    'The list is unknown in this run, and nothing of it is changed.',
    LATER,
  ],
  'MET-04': [
    'Numbers of Shield cover 28 days. That there are none does not prove that Shield is off.',
    'Look at the settings of Shield instead.',
  ],
  'MET-05': [
    'Access logs take a range of at most three days.',
    'A longer or a malformed range is refused.',
    'Give a shorter `--since`, such as `--since 24h`.',
  ],
  'MET-07': [
    'The search in mail logs can fail for a while.',
    'That says nothing about the mail.',
    'Run the command again.',
  ],
  'MET-08': [
    'Numbers of mail cover 1 to 90 days.',
    'The platform refuses anything else.',
    'Give a number of days in that range.',
  ],
};
