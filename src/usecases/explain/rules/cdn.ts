// The CDN, edge rules and Shield.
import type { RuleTable } from './rule.ts';

const ACTIVATE =
  'Activate the CDN in the dashboard (attaching a first hostname may do it), then run `hostwright plan` again.';

export const CDN_RULES: RuleTable = {
  'CDN-01': [
    'The CDN of a site has to be active before anything of it can be read or written.',
    'Caching, cache layers, edge rules, logs and Shield wait for it.',
    ACTIVATE,
  ],
  'CDN-05': ['No call of the API activates the CDN.', 'A plan cannot switch it on.', ACTIVATE],
  'CDN-08': [
    'Only the caching settings that are sent are written.',
    'Settings that the manifest does not name stay as they are.',
  ],
  'CDN-10': [
    'To empty the whole cache works at once.',
    'Until the cache has filled again, every request reaches the site itself.',
  ],
  'EDG-02': [
    'The platform accepts edge actions of the types 0 to 34, and may show newer ones.',
    'A rule of a newer type is read and kept as it is. No list deletes it that never named it, and no write can make it.',
    'Write it in the manifest as it is live, or change it in the dashboard.',
  ],
  'EDG-09': [
    'An edge rule is made without an id, and the platform gives it one.',
    'Apply finds the id by reading the rules again.',
  ],
  'EDG-10': [
    'To make the same edge rule again makes a second one.',
    'When the answer is lost, the rules are read, and the request is repeated only if the rule is not there.',
  ],
  'EDG-11': [
    'An edge rule is changed by sending it again with its id.',
    'The rule is replaced in place, and keeps its id.',
  ],
  'EDG-13': [
    'An edge rule is switched on and off by a request of its own.',
    'A change of `enabled` leaves the rest of the rule alone.',
  ],
  'EDG-14': [
    'To remove an edge rule needs the permission to delete.',
    'A member who may only change a site is refused.',
    'Use a credential whose role may delete parts of the site.',
  ],
  'EDG-16': [
    'The platform keeps names with a prefix of its own for itself, and hides such rules.',
    'A rule with such a name would be made and never be seen again.',
    'Choose another `name` for the edge rule.',
  ],
  'EDG-18': [
    'Edge rules need an active CDN, and fail for a while when the CDN itself fails.',
    'Nothing was written.',
    'Activate the CDN in the dashboard, or run `hostwright apply` again later.',
  ],
  'SHD-01': [
    'Shield belongs to some plans of a site only.',
    'On another plan every request about Shield is refused.',
    'Choose a `plan` for the site that includes Shield, or write `shield: { enabled: false }`.',
  ],
  'SHD-02': [
    'A site whose Shield was never activated refuses requests about it.',
    'Settings and rules of Shield wait until it is active.',
    'Write `shield: { enabled: true }` in the manifest of the site.',
  ],
  'SHD-03': [
    'Shield is activated by one request, and needs an active CDN.',
    'Its first settings are read after that, and then changed to what the manifest says.',
    ACTIVATE,
  ],
  'SHD-04': [
    'To deactivate Shield switches off its firewall and the protection against floods of requests. Its settings stay.',
    'The site is unprotected from that moment on.',
  ],
  'SHD-05': [
    'The view of Shield shows plan, firewall and flood protection together.',
    'One read is enough to compare them.',
  ],
  'SHD-06': [
    'Only the Shield settings that are sent are written.',
    'Settings that the manifest does not name stay as they are. What a higher plan costs is not documented.',
  ],
  'SHD-10': [
    'The settings of the firewall have a request of their own.',
    'A change of the firewall leaves the rest of Shield alone.',
  ],
  'SHD-13': [
    'A firewall rule of your own has a name and one condition.',
    'A live rule may hold more than the API can write, and to replace it would lose that.',
    'Change such a rule in the dashboard, or remove it there and let the plan make the declared one.',
  ],
  'SHD-12': [
    'The platform lists the rules that the firewall of a site has.',
    'An id that is not in the list may be refused or dropped, so the plan warns of it.',
    'Correct the id: `hostwright get shield-rules` lists them.',
  ],
  'SHD-14': [
    'A firewall rule of your own can be made on a premium Shield plan only.',
    'Rules that exist can be changed and removed on any plan.',
    'Declare a higher `shield.plan`, or remove the rule from the manifest.',
  ],
  'SHD-15': [
    'Bot detection can be changed on a premium Shield plan only.',
    'It can be read on any plan.',
    'Declare a higher `shield.plan`, or remove `shield.botDetection`.',
  ],
  'SHD-16': [
    'The platform passes a rate limit on without looking into it.',
    'A setting with a slip may be refused late, or do nothing.',
    'Compare it with `hostwright explain Site.shield.rateLimits`.',
  ],
  'SHD-17': [
    'Name and description of a rate limit have ASCII letters, digits and spaces only.',
    'The platform refuses anything else, a hyphen too.',
    'Correct the name in the manifest.',
  ],
  'SHD-21': [
    'An access list has a name, a description, a type and its entries, and the platform lists the types that there are.',
    'A live list may hold more than the API can write, and to replace it would lose that. A type that the platform does not list is not sent.',
    'Write one of the types that the plan names. What the API cannot write is changed in the dashboard.',
  ],
  'SHD-25': [
    'When the service behind Shield fails, every request about Shield fails.',
    'Whether a write was carried out is found out by reading.',
    'Run `hostwright apply` again later.',
  ],
  'SHD-26': [
    'The learning mode of the firewall ends at a time that the platform sets.',
    'It is asked for when Shield is activated, and never started again by itself.',
    'Start it again in the dashboard if you need it.',
  ],
  'SHD-27': [
    'To make a Shield rule, limit or list again may make a second one.',
    'The name decides: after a lost answer the lists are read, and nothing of that name is made twice.',
  ],
  'SHD-29': [
    'An edge rule can switch Shield off for the requests that it matches.',
    'Those requests reach the site without the firewall.',
    'Check the triggers of the edge rule: they should match as little as possible.',
  ],
};
