// Advice on HW2000 to HW2999: which live object is meant, saved plans, guards, remarks on what is declared, drift.
import type { AdviceTable } from './advice.ts';

const AGAIN = 'Run `hostwright plan --out plan.json` again and have the new plan reviewed.';

export const ACCOUNT_ADVICE: AdviceTable = {
  HW2001: {
    why: 'The manifest is bound by `metadata.id`, and the account lists no object with that id. The id has a slip, the object is in another account, or it was deleted.',
    fix: 'Correct `metadata.id`, or remove the line: the object is then found by its name, and created when there is none.',
  },
  HW2002: {
    why: 'The manifest (by its id or its name) means one live object, and the ledger has recorded another one for it. To follow one of them blindly could change the wrong object.',
    fix: 'Write the id of the right object as `metadata.id`. If the ledger is wrong, run `hostwright ledger forget` with the address as well.',
    example: 'hostwright ledger forget Site/shop',
  },
  HW2003: {
    why: 'Several live objects have the name that the manifest goes by, so nobody can tell which of them to change.',
    fix: 'Write the id of the right one as `metadata.id`. The detail lists the ids.',
    example: 'metadata:\n  name: shop\n  id: 5b1f7c2e',
  },
  HW2004: {
    why: 'Two manifests lead to one live object. They would undo each other in every run.',
    fix: 'Remove one of the two manifests, or write a `metadata.id` of its own into each.',
  },
  HW2006: {
    why: 'The object is to be deleted, and more goes with it than its own lines show. The detail says what.',
    fix: 'Read the detail. To keep the object, remove `lifecycle: { state: absent }` from its manifest.',
  },
  HW2007: {
    why: 'Some changes happen only after an explicit word in the manifest. This one has happened, so the word now does nothing.',
    fix: 'Remove the field that the detail names from the manifest.',
  },
  HW2008: {
    why: 'A secret cannot be read back, so the ledger records which `rotate` mark it was last written with. This object is live and the ledger has no mark for it. A working password is not replaced because of that.',
    fix: 'Run `hostwright apply`: it records the present mark and sends nothing for it. To write the secret anew, change `rotate` in a later commit.',
    example: 'password:\n  env: ALICE_PASSWORD\n  rotate: "2027-01"',
  },
  HW2045: {
    why: 'The workspace file names a ledger, and there is none in that place. The plan is right about what the manifests declare. It cannot see objects that they declared before, and a drift cannot say which side changed.',
    fix: 'Restore the ledger from where it was kept. If this workspace never had one, run `hostwright ledger init` and then `hostwright apply`.',
    example: 'hostwright ledger init',
  },
  HW2046: {
    why: 'An access list says who is on it. Whether those requests are blocked, challenged or let through is set in the dashboard only, so a new list may do nothing yet.',
    fix: 'When the list is there, open it in the Shield section of the dashboard and set its action. To block a country by a manifest alone, write an edge rule.',
    example: 'edgeRules:\n  - name: Blocked countries\n    triggers: [{ country: [KP] }]\n    action: { block: {} }',
  },
  HW2009: {
    why: 'The platform tells the password and the token of a new user once, in the answer to the request. That answer did not arrive whole, so they cannot be had any more.',
    fix: 'Let the user set a new password with "forgot password" on the login page and make a token there, then remove `credentialsTo` from the manifest.',
  },
  HW2010: {
    why: 'Term and domain of a panel account are fixed when it is bought, and no call changes them. The account differs from `spec.order`.',
    fix: 'Correct `spec.order` in the manifest to what is live. For other terms buy another account or ask the platform.',
  },
  HW2011: {
    why: 'The platform shows panel accounts with a delay of some minutes. The package that it shows and the one that it last set differ.',
    fix: 'Wait some minutes and run `hostwright plan` again.',
  },
  HW2060: {
    why: 'The manifest says `lifecycle: { state: absent }`, and the account has no such object. It was deleted already, or the id is wrong.',
    fix: 'Remove the manifest from the repository. If the object does exist, correct `metadata.id`.',
  },
  HW2061: {
    why: 'The list of plans and locations that the platform publishes does not have this name. The list may be incomplete, so the plan goes on; the order may be refused.',
    fix: 'Correct `spec.plan` or `spec.order.location`. The detail has the names that the platform lists.',
  },
  HW2062: {
    why: 'A hostname can be attached by a CNAME or by name servers. The platform never says which, but it hosts a DNS zone for this hostname, as it does for name servers.',
    fix: 'Write `attach: dns` when that is how it was attached. To change the way, detach the hostname and attach it again: it serves nothing in between.',
  },
  HW2101: {
    why: 'A saved plan has a digest over all that it would send. It does not fit any more, so what would run is not what was reviewed.',
    fix: AGAIN,
    example: 'hostwright plan --out plan.json\nhostwright show plan.json',
  },
  HW2102: {
    why: 'The plan was made for another account than the one of this workspace. Its ids mean nothing here.',
    fix: 'Apply it in the workspace that it was made in (`--config`), or make a plan for this account with `hostwright plan --out plan.json`.',
  },
  HW2103: {
    why: 'A plan is good for one run. The ledger shows that this one ran to its end, and the account may have changed since.',
    fix: 'Run `hostwright plan`. If it says that nothing has to be done, you are finished.',
  },
  HW2104: {
    why: 'Apply computes the plan anew and runs only what was reviewed. This action is new, or would send something else than the reviewed one.',
    fix: AGAIN,
  },
  HW2110: {
    why: 'A report on a plan, or a saved plan, was given to `--expect`, and it is of another account. An approval holds for the account that it was given for.',
    fix: 'Give the plan of this account, or run the command in the workspace that the message names.',
  },
  HW2111: {
    why: '`guards.unreviewed: refuse` is said in the workspace file, in the last commit, or at the default branch of the remote. So `--yes`, `--approve` and the `--allow-...` options do nothing by themselves: somebody has to have looked at this plan.',
    fix: 'A person runs the command that the message names at a terminal, and answers yes. Or open a pull request: after the merge, `apply --expect FILE --approved-by github` runs what its plan comment approved.',
    example: 'hostwright apply --expect approved.txt --approved-by github',
  },
  HW2112: {
    why: 'The command changes something at once, and `guards.unreviewed: refuse` is said in the workspace file, in the last commit, or at the default branch of the remote. There is no review of such a command, so a person has to be asked.',
    fix: 'A person runs the command that the message names at a terminal, and answers yes.',
  },
  HW2156: {
    why: 'Apply plans again before it runs a saved plan, so it needs the manifests that the plan was made from. None of those that were read declares the objects of the plan.',
    fix: 'Check out the commit that the plan was made from, or name the manifests as for `plan`.',
    example: 'hostwright apply plan.json sites/',
  },
  HW2157: {
    why: 'An action of the saved plan is neither done already nor to be done any more: the manifests or the account changed after the review.',
    fix: AGAIN,
  },
  HW2158: {
    why: 'The requests of the action are those that were reviewed, and the words around them in the file are not: the reviewer saw something else than what would happen.',
    fix: `Find out who changed the file. ${AGAIN}`,
  },
  HW2201: {
    why: 'The manifest says `lifecycle: { protect: true }`, and the plan would delete the object or pay for it. Protection is there for just this.',
    fix: 'If it is meant, set `protect: false` in a commit of its own, have it reviewed, and plan again. If not, put back the lines whose removal deletes the object.',
    example: 'lifecycle:\n  protect: false',
  },
  HW2202: {
    why: 'One run deletes only as many objects as the guards allow, 0 when nothing is said. A wrong edit or a bad merge cannot take half of an account with it.',
    fix: 'Read the deletes in the plan. If all are meant, run apply with `--allow-deletes` and their number, or raise `spec.guards.allowDeletes` in hostwright.yaml.',
    example: 'hostwright apply --allow-deletes 2',
  },
  HW2203: {
    why: '`spec.credential` in hostwright.yaml says what kind of credential is used and which scopes it has. An action of the plan needs more than that, so the platform would refuse it in the middle of the run.',
    fix: 'Set HOSTWRIGHT_TOKEN to a credential that may do it (`hostwright doctor` shows what the present one may do), or correct `spec.credential`.',
    example:
      'spec:\n  credential:\n    type: oauth\n    scopes: [sites:read, sites:write, domains:read, domains:write]',
  },
  HW2204: {
    why: 'The plan has actions that cost money, such as a larger plan for a site, a new domain or a mailspace. One run pays only as often as the guards allow, 0 when nothing is said. The number counts paid requests, not an amount.',
    fix: 'Read the actions marked as charges. If all are meant, run apply with `--allow-charges` and their number, or raise `spec.guards.allowCharges` in hostwright.yaml. Add `--max-spend` for a limit in money.',
    example: 'hostwright apply --allow-charges 1 --max-spend 15.00EUR',
  },
  HW2205: {
    why: 'The prices of the plan are above `--max-spend` or `spec.guards.maxSpend`, or a price is unknown. The platform quotes no price for many purchases, and an unknown price counts as too much.',
    fix: 'Raise the limit, buy less at once with `--target`, or leave the limit in money out and count with `--allow-charges`.',
    example: 'hostwright apply --allow-charges 1',
  },
  HW2206: {
    why: 'The ledger is the only record of a purchase whose answer was lost. Without a complete ledger the same thing could be bought twice.',
    fix: 'Restore the ledger from a backup or from its remote. If this workspace has bought nothing yet, run `hostwright ledger init` once.',
    example: 'hostwright ledger init',
  },
  HW2207: {
    why: 'Some objects can be made and never be removed, and may show in no list. Only a complete ledger tells that one was made before.',
    fix: 'Restore the ledger from a backup or from its remote. If this workspace has made nothing of the kind yet, run `hostwright ledger init` once.',
    example: 'hostwright ledger init',
  },
  HW2210: {
    why: '`--approve` lists what may run without a review. The plan does something else too, so nothing of it runs.',
    fix: 'Have the plan reviewed and run `hostwright apply plan.json`, or add the words that the detail names to `--approve`.',
    example: 'hostwright apply --approve create,update',
  },
  HW2301: {
    why: 'The settings for mail of the site are as declared, but the platform does not deliver with them: a DNS record is missing, the domain is not verified, or the account is blocked. The detail says which.',
    fix: 'Publish the records that `hostwright dns` shows. `hostwright site mail unblock` lifts a block where the platform lets a customer do it.',
  },
  HW2302: {
    why: '`learnOnActivation` starts the learning mode of the firewall when Shield is activated. It has ended, and is never started again by itself.',
    fix: 'Nothing has to be done. Remove `learnOnActivation` from the manifest to be rid of this line.',
  },
  HW2310: {
    why: 'With `autoRenew: false` the name stays registered until its date and is then given up. Somebody else can register it then.',
    fix: 'If that is not meant, write `autoRenew: true` in the manifest of the registration.',
    example: 'spec:\n  autoRenew: true',
  },
  HW2390: {
    why: 'The firewall of the site lists its own rules, and none has this id. The platform may refuse the id, drop it, or keep it without effect.',
    fix: 'Correct the id. The detail has the nearest one, and `hostwright get shield-rules` lists all of them.',
    example: 'spec:\n  shield:\n    waf: { disabledRules: ["942100"] }',
  },
  HW2391: {
    why: 'The registration ends within 30 days and renewal is switched off, so the platform does not renew it. Somebody else can register the name then.',
    fix: 'To keep the name, write `autoRenew: true` in the manifest of the registration. If it is to end, nothing has to be done.',
    example: 'spec:\n  autoRenew: true',
  },
  HW2392: {
    why: 'The mailboxes of the mailspace use at least nine tenths of the storage of its package, as the platform last measured it. A full mailspace takes no more mail.',
    fix: 'Delete mail, or choose a larger package in the dashboard: no document says how a package is changed over the API.',
  },
  HW2393: {
    why: 'The plan buys something, or a purchase is on its way, so the newest order was looked at. Its payment failed, or waits until the card holder confirms it.',
    fix: 'Run `hostwright get order` with the id from the detail, open the page that it shows, and pay or confirm there. Then run `hostwright plan` again.',
    example: 'hostwright get orders',
  },
  HW2394: {
    why: '`shield learn --days` said when learning was to end. That day has come, and the site still learns. What it learns from now on counts, attacks included.',
    fix: 'Run `hostwright shield learn` with the site and `--off`. If it is to go on, run it with `--days` once more.',
    example: 'hostwright shield learn shop --off',
  },
  HW2501: {
    why: 'With DNSSEC the registry publishes a fingerprint of the keys of the present name servers. New name servers sign with other keys, and resolvers that check then find nothing under the name.',
    fix: 'Plan in two steps: first `dnssec: { enabled: false }`, then the new name servers. Or declare the keys of the new servers with another `rotate` mark.',
    example: 'spec:\n  dnssec:\n    enabled: false',
  },
  HW2502: {
    why: 'At the registrar one contact can belong to several names. An edit of it changes all of them.',
    fix: 'Look whether the other names are meant too. If they are to keep their details, have this name given a contact of its own in the dashboard, then run `hostwright plan` again.',
  },
  HW2580: {
    why: 'A role that is given to somebody else gets a contact of its own. The platform keeps the contact of the person before, although no registration uses it.',
    fix: 'Delete it with the command that the detail names, or all of them with `hostwright contact delete --unused`.',
    example: 'hostwright contact delete --unused',
  },
  HW2601: {
    why: 'An `--ignore` has no effect in this run: the address has a slip, or what it named does not differ any more.',
    fix: 'Write the address as the report prints it, or remove the option.',
    example: 'hostwright drift --ignore "Site/*/Caching" --ignore "Site/shop/Caching#/smartCache"',
  },
  HW2602: {
    why: 'Drift asks the platform for its list of tasks to say who changed something. That list could not be read. The differences themselves are complete.',
    fix: 'Run `hostwright drift` again if the author matters.',
  },
  HW2603: {
    why: 'What `hostwright export --observed` recorded there could not be read this time, so nobody knows whether it changed. What is declared is compared all the same.',
    fix: 'Run `hostwright drift` again when the platform answers. If that can never be read any more, record anew with `hostwright export --observed`.',
  },
  HW2801: {
    why: "The plan was carried out on a copy of the account, made from what was just read. There the platform's own documents refuse this request. The account itself was not touched.",
    fix: 'Read the answer and the line of the manifest, change what it names, and run `hostwright plan --rehearse` again. If you know that the platform takes it, run `hostwright plan` without `--rehearse`.',
  },
  HW2802: {
    why: 'On the copy of the account everything was carried out, and the next plan would change the same thing again. The platform does not keep the value as it is declared.',
    fix: 'Declare the value that the platform keeps, which the detail shows, or leave the field out.',
  },
  HW2804: {
    why: 'The documents of the platform leave open what it does with this request. The rehearsal played each reading, and they do not come to the same.',
    fix: 'Look at the answer that the detail quotes. Where you can do without it, declare the object otherwise; else apply, and read the outcome.',
  },
  HW2805: {
    why: 'The plan was rehearsed, and on the copy of the account this action was carried out. In the account it was not: the account has changed since, or the platform does what its documents do not say.',
    fix: 'Read the reason beside the action, and run `hostwright plan --rehearse` again: it is made from what is there now.',
  },
  HW2803: {
    why: 'The copy of the account is made from what the plan had to read. What else this change needs was not read, and nothing is made up for it.',
    fix: 'Nothing has to be done: the rest of the plan was rehearsed. Where the missing part is declared too, it is read and rehearsed.',
  },
};
