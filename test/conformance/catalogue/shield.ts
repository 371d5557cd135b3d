// The part of the catalogue about Shield, the firewall in front of a site.
import { area } from './entry.ts';
import type { CatalogueEntry } from './entry.ts';

export const SHIELD: readonly CatalogueEntry[] = area('Shield', [
  ['SHD-01', 'B', 'Every Shield endpoint is closed on a plan without Shield: 403 shield_not_in_plan.'],
  ['SHD-02', 'B', 'A site whose Shield was never provisioned answers 409 shield_not_active.'],
  ['SHD-03', 'B', 'Activating takes no body, answers 201 and needs a pull zone; the refusal says shield_not_active.'],
  ['SHD-04', 'B', 'Deactivating is soft: WAF and DDoS protection are off, the zone remains.'],
  ['SHD-05', 'B', 'The zone reads nested: plan, waf, ddos, whitelabel pages.'],
  ['SHD-06', 'B', 'The zone is written flat, under other names, each of them optional.'],
  [
    'SHD-07',
    'B',
    'Plan and modes read as texts and are written as integers; learning mode is written on top and read under waf.',
  ],
  ['SHD-08', 'B', 'premium is another way to write the plan: true is advanced, false is basic.'],
  ['SHD-09', 'B', 'The WAF mode is 0 Log or 1 Block.'],
  ['SHD-10', 'B', 'The WAF has a path of its own that writes the same four settings.'],
  ['SHD-11', 'B', 'The lists of disabled and of logged rules are written whole.'],
  ['SHD-12', 'B', 'The managed rules come in groups, as a bare list.'],
  ['SHD-13', 'B', 'A custom WAF rule has a required name and one condition.'],
  ['SHD-14', 'B', 'Making a custom WAF rule takes a premium plan; changing and removing one does not.'],
  ['SHD-15', 'B', 'Bot detection is read always and written on a premium plan only, each setting optional.'],
  ['SHD-16', 'B', 'What a rate limit says is passed on as it was sent.'],
  ['SHD-17', 'B', 'Names and descriptions of rate limits have ASCII letters, digits and spaces only.'],
  [
    'SHD-18',
    'B',
    'There are six timeframes; the plan may refuse the longer ones, names the longest, and saves nothing.',
  ],
  ['SHD-19', 'I', 'What a rate limit can do and count by.'],
  ['SHD-20', 'R', 'What is passed on may come back with defaults: only declared keys are compared.'],
  ['SHD-21', 'B', 'An access list has a name, a description, an integer type, one entry a line, a checksum.'],
  ['SHD-22', 'E', 'The types of access lists answer beside the lists, where an id would stand.'],
  ['SHD-23', 'R', 'The content of an access list is compared as a set of lines.'],
  ['SHD-24', 'B', 'Events are read by day, page by page, with a token.'],
  ['SHD-25', 'B', "Where Shield's upstream fails every endpoint answers 502."],
  ['SHD-26', 'R', 'Learning mode has an end, after which it is not started again silently.'],
  ['SHD-27', 'R', 'Rules, limits and lists may be made twice; the name is the identity.'],
  ['SHD-28', 'B', 'Shield sends no billing webhook.'],
  ['SHD-29', 'I', 'Edge rules can switch Shield off for some requests.'],
]);
