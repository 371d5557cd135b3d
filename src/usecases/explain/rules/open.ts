// What the documents of the platform leave open, and what is done about it: never a guess that could do harm.
import type { RuleTable } from './rule.ts';

const DASHBOARD = 'Do it in the dashboard. The next plan sees that it is done.';
const READ = 'Nothing has to be done: apply reads the result back before it goes on.';

export const OPEN_RULES: RuleTable = {
  'GAP-05': [
    'The documents do not say what a change of plan of a site answers.',
    'Apply waits until the site shows the new plan, and never sends the request twice.',
    'If it is unknown at the end, look in the dashboard and run `hostwright ledger confirm`.',
  ],
  'GAP-07': [
    'The documents do not say how the list of plans and locations looks.',
    'A name that is not found there is a warning and no error.',
    'Check the name for a slip.',
  ],
  'GAP-08': [
    'The documents do not say whether a deleted site is still listed.',
    'A site that answers "about to be deleted" counts as being deleted. No other is bought in its place.',
    'Have the deletion withdrawn in the dashboard, or remove the manifest.',
  ],
  'GAP-09': [
    'The documents do not say what some writes answer.',
    'Success is what reads back, not what the answer says.',
    READ,
  ],
  'GAP-11': [
    'The documents name no way to find a purchase whose answer was lost.',
    'Such a purchase may have been made. It is never sent again by itself.',
    'Look in the dashboard, then run `hostwright ledger confirm` with the address and `--id` or `--not-made`.',
  ],
  'GAP-15': [
    'The documents do not say how a change of the PHP version is refused.',
    'Apply reads the version back.',
    READ,
  ],
  'GAP-18': [
    'The documents do not say how to find out how a hostname was attached.',
    'A hosted DNS zone is only a hint. `attach` is never changed on a live hostname.',
  ],
  'GAP-19': [
    'The documents leave open how attaching a hostname is refused, and whether lists show temporary hostnames.',
    'Hostnames that no manifest ever named are never detached.',
    'If a hostname is refused, it may belong to another site: detach it there first.',
  ],
  'GAP-20': [
    'The documents name no call that activates the CDN of a site.',
    'Everything that rests on the CDN waits.',
    'Activate the CDN in the dashboard (attaching a first hostname may do it), then run `hostwright plan` again.',
  ],
  'GAP-21': [
    'The documents do not say whether a list among the caching settings is replaced or merged.',
    'The whole list is sent and read back.',
    READ,
  ],
  'GAP-23': [
    'The documents do not say what is around the list of edge rules.',
    'If it cannot be recognised, the rules are unknown, and none is written.',
    'Run `hostwright plan` again. If it stays, please report it.',
  ],
  'GAP-24': [
    'The documents do not say in which form a whole edge rule is replaced.',
    'The one documented form is used, and the rule is read back at once.',
    READ,
  ],
  'GAP-25': [
    'The documents do not say how edge rules of the same position are ordered.',
    'Where the order of rules matters to you, it has to be declared.',
    'Write the rules in the order that you want; see `hostwright explain Site.edgeRules`.',
  ],
  'GAP-26': [
    'The documents leave open how the activation of Shield is refused without a CDN.',
    'Both documented answers are read as "the CDN is not active".',
    'Activate the CDN in the dashboard, then run `hostwright plan` again.',
  ],
  'GAP-27': [
    'The documents do not say what a deactivated Shield leaves behind, or what comes back with it.',
    'After activation everything of Shield is read anew. Nothing is assumed.',
    READ,
  ],
  'GAP-28': [
    'The documents do not list the words and numbers of some Shield settings.',
    'A live value that is unknown cannot be compared, so it is left alone.',
    'Set it in the dashboard, and leave the field out of the manifest.',
  ],
  'GAP-29': [
    'The documents do not say how rules, limits and lists of Shield read back.',
    'One that is shown without an id is neither changed nor removed.',
    'Change it in the dashboard.',
  ],
  'GAP-30': [
    'The documents do not say what a rate limit holds and how it is refused.',
    'A refusal means that nothing was saved.',
    'Read the answer of the platform: it names the longest time that the Shield plan allows.',
  ],
  'GAP-31': [
    'The documents do not say what an access list needs and shows.',
    'The list is read by itself where the list of lists does not show its entries.',
    READ,
  ],
  'GAP-32': [
    'The documents do not say what Shield plans cost, or what a lower one removes.',
    'A change counts as one that costs money, and a plan is never lowered without your word.',
    'To lower it, write `shield.planDowngrade` with the new plan beside it, and remove the line afterwards.',
  ],
  'GAP-33': [
    'The documents do not say whether a change of a Shield rule, limit or list is partial.',
    'The whole item is sent, which is right either way.',
    READ,
  ],
  'GAP-36': ['The documents do not say how the package of a mailspace is changed.', 'A person changes it.', DASHBOARD],
  'GAP-37': [
    'The documents do not say how a mailspace is deleted.',
    'Every mailbox in it would go with it, so nothing is guessed.',
    DASHBOARD,
  ],
  'GAP-39': [
    'The documents do not say how a mail domain without a proof of ownership is given up.',
    'A person gives it up.',
    DASHBOARD,
  ],
  'GAP-41': [
    'The documents do not say how a group is changed or removed.',
    'Its members change by way of the mailboxes. The rest is done by a person.',
    DASHBOARD,
  ],
  'GAP-43': [
    'The documents do not say which mailboxes count to the limit of a package.',
    'All are counted, those that wait for their deletion too.',
    'If there is no room, wait for the deletion or take a larger package.',
  ],
  'GAP-45': [
    'The documents do not say how an empty mailbox view differs from one that could not be read.',
    'The view counts only together with the list.',
    'Run `hostwright plan` again in some minutes.',
  ],
  'GAP-47': [
    'The documents do not pair the codes of panel packages with their names.',
    'A package without a known name cannot be compared, and is not changed.',
    'Change the package in the dashboard.',
  ],
  'GAP-49': [
    'The documents do not say what the deletion of a panel account answers.',
    'It is sent for an active account only, and read back.',
    READ,
  ],
  'GAP-52': [
    'The documents do not say how a host is removed.',
    'A person removes it.',
    'Ask the platform to remove the host, after no name server list names it.',
  ],
  'GAP-53': [
    'The documents contradict each other about switching renewal off after the window for cancellation.',
    'The platform may refuse it.',
    'Switch it off earlier, or in the dashboard.',
  ],
  'GAP-54': [
    'The documents do not say how enabling DNSSEC differs from adding keys.',
    'Keys are added only when `dnssec.rotate` changes.',
    'Change `dnssec.rotate` to add the declared keys.',
  ],
  'GAP-55': [
    'The documents do not say how the status of a registration changes.',
    'A name whose status is not OK is not changed.',
    'Look in the dashboard whether it is to be renewed, restored or given up.',
  ],
  'GAP-56': [
    'The documents do not say what becomes of a user whose e-mail address is taken.',
    'One user is made in a run, and never a second time blindly.',
    'Look at the one that was made, then run `hostwright apply` again.',
  ],
  'GAP-58': [
    'The documents do not say whether a contact that follows the owner shows the same contact.',
    'Equal details count as equal.',
    READ,
  ],
  'GAP-64': [
    'The documents do not say how privacy is bought.',
    'A person buys it at the portal of the platform.',
    DASHBOARD,
  ],
};
