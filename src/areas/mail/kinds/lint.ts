// What is wrong with the addresses of a mailspace whatever the account has. A mailspace that its manifest orders has
// nothing but what the manifest declares, and `unlisted: remove` deletes everything else.
import type { Json, JsonObject } from '../../../model/json.ts';
import { isJsonObject } from '../../../model/json.ts';
import type { Lint } from '../../../model/kind/kind.ts';
import { canonicalHostname } from '../../../model/hostname.ts';
import { canonicalAddress, canonicalMailDomain, domainOf } from '../../common/spellings.ts';
import { declaredIn, suggestion } from './principals.ts';

/** Checks the aliases: no target is an alias (ALS-03), and each exists in a mailspace that the manifest orders. */
export function lintAliases(spec: JsonObject, name?: string): readonly Lint[] {
  const items = itemsOf(spec.aliases);
  const targets = new Map(items.map(({ address, target }) => [addressIn(address), addressIn(target)]));
  const principals = declaredIn(spec, 'mailboxes', 'groups');
  const targetLints = items.flatMap(({ target }, index): readonly Lint[] => {
    const wanted = addressIn(target);
    if (wanted === '') return [];
    const pointer = `/aliases/${index}/target`;
    if (targets.has(wanted)) {
      const what = `The target ${wanted} is an alias itself, and an alias cannot point at an alias. Point it at ${endOf(wanted, targets)}.`;
      return [{ is: 'refused', pointer, what }];
    }
    // A mailing list is a target too, and no manifest declares one: only a new mailspace surely has none.
    if (spec.order === undefined || principals.includes(wanted)) return [];
    const what = `The target ${wanted} does not exist: ${ORDERED}. ${suggestion(wanted, principals)}Correct the target, or declare a mailbox or a group with this address. ${IF_LIVE}`;
    return [{ is: 'refused', pointer, what }];
  });
  return [...targetLints, ...lintDomains(spec, name, 'aliases', 'address')];
}

/** Checks the groups: their members are mailboxes (GRP-06) that exist after the run. */
export function lintGroups(spec: JsonObject, name?: string): readonly Lint[] {
  const mailboxes = declaredIn(spec, 'mailboxes');
  const others = new Map([
    ...declaredIn(spec, 'groups').map((address) => [address, 'a group'] as const),
    ...declaredIn(spec, 'aliases').map((address) => [address, 'an alias'] as const),
  ]);
  const why = whyComplete(spec, 'mailboxes');
  const memberLints = itemsOf(spec.groups).flatMap(({ members }, index) =>
    (Array.isArray(members) ? (members as readonly Json[]) : []).flatMap((member, at): readonly Lint[] => {
      const wanted = addressIn(member);
      if (wanted === '' || mailboxes.includes(wanted)) return [];
      const pointer = `/groups/${index}/members/${at}`;
      const other = others.get(wanted);
      if (other !== undefined)
        return [
          { is: 'refused', pointer, what: `The member ${wanted} is ${other}, and only mailboxes can be members.` },
        ];
      if (why === undefined) return [];
      const what = `The member ${wanted} does not exist: ${why}. ${suggestion(wanted, mailboxes)}Correct the member, or declare its mailbox.${spec.order === undefined ? '' : ` ${IF_LIVE}`}`;
      return [{ is: 'refused', pointer, what }];
    }),
  );
  return [...memberLints, ...lintDomains(spec, name, 'groups', 'email')];
}

/** Checks that each mailbox is on a domain that exists after the run (O-37). */
export function lintMailboxes(spec: JsonObject, name?: string): readonly Lint[] {
  return lintDomains(spec, name, 'mailboxes', 'address');
}

const ORDERED = 'this manifest orders the mailspace, and a new mailspace contains only what its manifest declares';
const IF_LIVE = 'If the mailspace was bought already and has it, remove `order`.';

function lintDomains(
  spec: JsonObject,
  name: string | undefined,
  section: 'mailboxes' | 'groups' | 'aliases',
  field: 'address' | 'email',
): readonly Lint[] {
  const why = whyComplete(spec, 'domains');
  if (name === undefined || why === undefined) return [];
  const declared = itemsOf(spec.domains).flatMap((item) => (typeof item.name === 'string' ? [item.name] : []));
  const domains = [canonicalHostname(name), ...declared.map(canonicalMailDomain)];
  return itemsOf(spec[section]).flatMap((item, index): readonly Lint[] => {
    const address = addressIn(item[field]);
    if (address === '' || domains.includes(domainOf(address))) return [];
    const what = `The domain ${domainOf(address)} of ${address} does not exist in the mailspace: ${why}. ${suggestion(domainOf(address), domains)}Correct the address, or declare the domain under \`domains\`.`;
    return [{ is: 'refused', pointer: `/${section}/${index}/${field}`, what }];
  });
}

/** Returns why nothing exists in a section after the run but what is declared; undefined: more may exist. */
function whyComplete(spec: JsonObject, section: 'mailboxes' | 'domains'): string | undefined {
  if (spec.order !== undefined) return ORDERED;
  const isRemoved = isJsonObject(spec.unlisted) && spec.unlisted[section] === 'remove' && spec[section] !== undefined;
  return isRemoved ? `\`unlisted.${section}: remove\` deletes all that is not declared` : undefined;
}

/** What a chain of aliases leads to; in a circle no mailbox receives the mail. */
function endOf(start: string, targets: ReadonlyMap<string, string>): string {
  const seen = new Set<string>();
  let at = start;
  for (let next = targets.get(at); next !== undefined && !seen.has(at); next = targets.get(at)) {
    seen.add(at);
    at = next;
  }
  return targets.has(at) ? 'a mailbox or a group: these aliases form a circle, so no mailbox receives the mail' : at;
}

function itemsOf(section: Json | undefined): readonly JsonObject[] {
  return Array.isArray(section) ? section.filter(isJsonObject) : [];
}

function addressIn(text: Json | undefined): string {
  return typeof text === 'string' ? canonicalAddress(text) : '';
}
