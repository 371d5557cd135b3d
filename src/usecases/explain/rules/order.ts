// Why one step comes before another.
import type { RuleTable } from './rule.ts';

const NONE = 'Nothing has to be done: the plan has the steps in this order.';

export const ORDER_RULES: RuleTable = {
  'O-02': [
    'Purchases that are in flight are settled before anything else is bought.',
    'A purchase of an earlier run has no known end yet. Until it has, the plan buys nothing, so that the same thing is not paid for twice.',
    'Run `hostwright apply --resume`. If it needs a person (a payment link, an answer that was lost), the report says which.',
  ],
  'O-05': [
    'What was bought is used only after its order is completed.',
    'The platform answers a purchase before the payment is settled, and the new object has no id until then. What rests on it waits.',
    'Wait, or complete the payment at the link that the report shows. A later `hostwright apply` continues.',
  ],
  'O-06': [
    'The id of a new site is known only when its order is completed.',
    'Domains, settings and everything else of the site come after the purchase.',
    NONE,
  ],
  'O-07': [
    'A site gets its larger plan before anything that only the larger plan has.',
    'Cache layers and Shield of the new plan would be refused on the old one.',
    NONE,
  ],
  'O-08': [
    'What a smaller plan does not have is switched off before the site gets the smaller plan.',
    'After the change the platform refuses to touch those parts.',
    NONE,
  ],
  'O-09': [
    'The plan and the PHP version of a site change one after the other.',
    'Both restart the containers of the site, so one has to be over before the next begins.',
    NONE,
  ],
  'O-10': [
    'A backup that was asked for is finished before a change that it protects against.',
    'The site can be put back to the state before the PHP version, the plan or the removal.',
    NONE,
  ],
  'O-11': [
    'On an empty site the wanted primary hostname is attached first.',
    'The platform makes the first hostname the primary one. So no second change is needed.',
    NONE,
  ],
  'O-12': [
    'A hostname is attached before it becomes the primary one.',
    'Its id is known only after it was attached.',
    NONE,
  ],
  'O-13': [
    'The new primary hostname is in place before the old one is detached.',
    'Without a primary hostname the site would answer at its temporary address only.',
    NONE,
  ],
  'O-14': [
    'A hostname leaves its old site before it is attached to the new one.',
    'A hostname belongs to one site at a time. Between the two steps it serves nothing, so the move needs your word in the manifest.',
    'Write `moveFrom` beside the hostname (see `hostwright explain Site.domains.moveFrom`), and plan the move for a quiet hour.',
  ],
  'O-17': [
    'A domain is registered before anything relies on owning it.',
    'Mail, panel accounts and hostnames on a name that is not yours yet are refused or stay unverified.',
    NONE,
  ],
  'O-18': [
    'Hostnames are attached before anything of the CDN is set.',
    'All traffic of a hostname goes through the CDN, and attaching the first one may be what activates the CDN. No call of the API activates it.',
    'If the CDN stays inactive after the hostnames are attached, activate it in the dashboard and run `hostwright plan` again.',
  ],
  'O-22': [
    'Shield gets its higher plan before anything that only the higher plan allows.',
    'Custom firewall rules, bot detection and long rate limits would be refused before that.',
    NONE,
  ],
  'O-23': [
    'What only a higher Shield plan allows is changed before the plan is lowered.',
    'Afterwards the platform refuses to change those parts.',
    NONE,
  ],
  'O-24': [
    'Exceptions of the firewall are in place before it blocks.',
    'With the order reversed, wanted visitors would be blocked for a moment.',
    NONE,
  ],
  'O-25': [
    'Single items of Shield are removed before Shield is switched off.',
    'Afterwards the platform refuses every request about them.',
    NONE,
  ],
  'O-26': [
    'Rules that stay are updated, then new ones are made, then old ones are removed.',
    'At no moment is the site without a rule that it has before and after.',
    NONE,
  ],
  'O-28': [
    'The cache is emptied after the changes that it is emptied for.',
    'Emptied earlier, it would fill again with what was stale.',
    NONE,
  ],
  'O-29': [
    'The primary hostname is set before mail settings and DNS checks of the site.',
    'The platform delivers mail only when the signing domain is the primary hostname.',
    NONE,
  ],
  'O-32': [
    'The id of a new mailspace comes from the list of mailspaces.',
    'The answer to the purchase does not name it, so domains and mailboxes wait until the mailspace is listed.',
    NONE,
  ],
  'O-33': [
    'The TXT record of the primary domain is published before the mailspace is set up.',
    'The platform checks the ownership of the domain by that record.',
    'Publish the record that `hostwright dns` shows, then run `hostwright apply` again.',
  ],
  'O-34': [
    'A mailspace is set up before anything in it is asked for.',
    'Until the platform has set it up, it refuses requests about domains, mailboxes, groups and aliases. They are planned later.',
    'Publish the TXT record if `hostwright dns` shows one, and run `hostwright apply` again after some minutes.',
  ],
  'O-35': [
    'A mailspace gets its larger package before more or larger mailboxes.',
    'The platform refuses mailboxes that do not fit the package.',
    'Change the package in the dashboard first: no documented call does it.',
  ],
  'O-37': [
    'A mail domain is served before there are addresses on it.',
    'A domain whose ownership is not proven takes no mail, and addresses on it are refused.',
    'Publish the TXT record that `hostwright dns` shows, then run `hostwright apply` again.',
  ],
  'O-38': [
    'An address is given up before something else takes it.',
    'Mailboxes, groups, aliases and lists of a mailspace share one set of addresses.',
    NONE,
  ],
  'O-39': [
    'Mailboxes are removed before others are made when the package is full.',
    'The platform counts mailboxes up to the limit of the package, and perhaps those that wait for their deletion too.',
    'If there is still no room, wait for the deletion or take a larger package.',
  ],
  'O-40': [
    'Mailboxes are made before the groups that have them as members.',
    'A group takes only members that exist in its mailspace.',
    NONE,
  ],
  'O-41': [
    'A group is made before a mailbox that names it.',
    'A mailbox is refused with a group that does not exist.',
    NONE,
  ],
  'O-43': [
    'A mailbox or group is made before the aliases that lead to it.',
    'An alias needs a target that exists.',
    NONE,
  ],
  'O-44': [
    'An alias is removed right before it is made again for another target.',
    'An address exists once, and the target of an alias cannot be changed. Mail to it may be refused for a moment.',
    NONE,
  ],
  'O-45': [
    'Aliases and members that stay leave a mailbox or group before it is deleted.',
    'They would be deleted together with it.',
    NONE,
  ],
  'O-48': [
    'A mail domain is empty before it is removed.',
    'The platform refuses to remove a domain with mailboxes, groups or lists.',
    NONE,
  ],
  'O-55': [
    'The holder of a registration changes before contacts that follow the holder.',
    'A contact that says "same as owner" takes the details of the new holder then.',
    NONE,
  ],
  'O-56': [
    'One change of a registration is finished before the next begins.',
    'While the registrar works on a name, the platform refuses other changes of it.',
    'Wait until the registrar is finished and run `hostwright apply` again.',
  ],
  'O-57': [
    'DNSSEC is off before the name servers change.',
    'The registry vouches for keys that the old name servers sign with. With new servers and old keys, resolvers that check do not find the name.',
    'Write `dnssec: { enabled: false }` and apply it before the new name servers. Then enable DNSSEC with the keys of the new servers.',
  ],
  'O-58': [
    'The name servers have changed before DNSSEC is enabled for the new ones.',
    'The keys belong to the new name servers.',
    NONE,
  ],
  'O-59': [
    'A host with its addresses is there before name servers name it.',
    'The registry refuses a name server below the own name that it has no address for.',
    NONE,
  ],
  'O-60': [
    'The name servers lead elsewhere before a host is given up.',
    'The registry keeps a host while a name uses it.',
    NONE,
  ],
  'O-63': [
    'A registration is locked after all other changes.',
    'Some registries refuse changes of a locked name.',
    NONE,
  ],
  'O-64': [
    'A transfer of the name to somebody else is decided before anything is changed.',
    'The name may belong to somebody else soon, so the plan changes nothing of it.',
    'Accept or refuse the transfer in the dashboard, then run `hostwright plan` again.',
  ],
  'O-65': [
    'Automatic renewal is switched on first and off last.',
    'To lose a name is the worst that can happen to it, so it is protected early and given up late.',
    NONE,
  ],
  'O-66': [
    'A domain is registered in the account before a panel account is bought for it.',
    'The platform refuses a panel account for a name that the account does not own.',
    NONE,
  ],
  'O-67': [
    'A change of package of a panel account has ended before the next one.',
    'The platform does one at a time, and shows its result some minutes later.',
    'Wait some minutes and run `hostwright plan` again.',
  ],
  'O-68': [
    'Usage shrinks before a panel account gets a smaller package.',
    'The platform refuses a package that does not hold the files, mailboxes and domains of the account.',
    'Free the space in the panel, then run `hostwright apply` again.',
  ],
  'O-69': [
    'The list of panel accounts is read right before one is bought.',
    'The answer to the purchase does not name the new account. It is recognised by comparing the lists.',
    NONE,
  ],
  'O-70': [
    'Deletes come last.',
    'If something fails half-way, nothing is gone yet. A delete comes earlier only where it frees a name or a place that something new needs.',
    NONE,
  ],
  'O-71': [
    'A site is deleted after its hostnames and its mail have moved.',
    'A deleted site cannot be restored over the API, and what is still on it goes with it.',
    NONE,
  ],
  'O-72': [
    'Requests that cost money are sent one by one.',
    'If an answer is lost, it is known which purchase it belongs to, and the limits are checked between them.',
    NONE,
  ],
  'O-73': [
    'After a lost answer everything that rests on it is read again before a create is repeated.',
    'The request may have been carried out. To send it again unread could make the object twice.',
    NONE,
  ],
};
