// Sites, their hostnames, PHP, backups, cache layers and the mail that they send; orders and payments.
import type { RuleTable } from './rule.ts';

const LOOK = 'Look at the site in the dashboard, then run `hostwright plan` again.';

export const SITE_RULES: RuleTable = {
  'BKP-01': [
    'Backups are kept for each volume of a site.',
    'A backup of a site is one archive for each of its volumes.',
  ],
  'BKP-02': [
    'A backup is made by naming it.',
    'The plan gives each backup a name of its own and looks for that name afterwards.',
  ],
  'BKP-06': [
    'To make a backup twice is not documented as harmless.',
    'When the answer is lost, the list is searched for the name. After a minute it is asked for again under another name: one archive too many does no harm, and waiting for one that was never begun does.',
    'Where two archives of one run are listed, remove one of them.',
  ],
  'CCH-02': [
    'A cache layer is switched on in the background.',
    'The platform answers at once and works on. Apply waits until the layer reads as on.',
  ],
  'CCH-03': [
    'A cache layer is switched off in the background, and that needs the permission to delete.',
    'A member who may only change a site is refused.',
    'Use a credential whose role may delete parts of the site.',
  ],
  'CCH-05': [
    'A site has the cache layers redis, nginx and cdn.',
    'Each of them is switched by itself. The platform has no more.',
  ],
  'CCH-06': [
    'The platform refuses a layer that it does not know or that the plan of the site does not have.',
    'The layer cannot be switched on this site.',
    'Remove the layer from `spec.cacheLayers`, or give the site a plan that has it.',
  ],
  'CCH-08': [
    'The answer to a switch says only that the work was begun.',
    'Apply follows the task and then reads the layers. Only that counts.',
  ],
  'CCH-09': [
    'Whether the plan of a site has a cache layer cannot be read beforehand.',
    'The plan cannot warn you. A layer that is missing is refused during apply.',
    'If it is refused, remove the layer or take a larger plan.',
  ],
  'DOM-06': [
    'How a hostname is attached (CNAME or name servers) is said when it is attached, and never shown afterwards.',
    'A later change of `attach` cannot be compared with what is live, and does nothing to a hostname that is attached already.',
    'To change it, detach the hostname and attach it again. It serves nothing in between.',
  ],
  'DOM-07': [
    'Name servers and the CNAME of a hostname are told only in the answer to attaching it.',
    'The ledger keeps them, so that `hostwright dns` can show what to publish. For a hostname that was attached elsewhere they are unknown.',
    'Look for them in the dashboard.',
  ],
  'DOM-08': [
    'The first hostname of a site becomes its primary one.',
    'The plan attaches the wanted primary hostname first.',
  ],
  'DOM-09': [
    'To make a hostname the primary one turns the former primary one into an alias.',
    'Both serve the site. Links and redirects to the former one may behave differently.',
  ],
  'DOM-10': ['A hostname is detached by its id.', 'It stops serving the site at once.'],
  'DOM-11': [
    'The new primary hostname is set before the old one is detached.',
    'A site without a primary hostname answers at its temporary address only.',
    'Name another `primaryDomain` in the manifest before you remove the present one.',
  ],
  'DOM-15': [
    'The platform cannot move a hostname from one site to another.',
    'A move is a detach and an attach. The hostname serves nothing in between, so it needs your word in the manifest.',
    '`hostwright explain Site.domains.moveFrom` shows the line that allows the move.',
  ],
  'DOM-16': [
    'When the answer to attaching is lost, the list of hostnames decides.',
    'Apply reads the list, and does not attach a second time unread.',
  ],
  'ORD-12': [
    'A purchase is a cart that moves through several states. An expired cart bought nothing.',
    'Apply waits until the cart has an order. Nothing is charged for an expired one.',
    'Run `hostwright plan` and buy again if you still want it.',
  ],
  'ORD-14': [
    'Where somebody else sends the bill, the payment never reads as paid.',
    'Apply waits for the order instead of the payment.',
  ],
  'ORD-19': [
    'The platform reserves the change of an order and refuses it.',
    'An order cannot be changed after it was placed.',
  ],
  'ORD-20': [
    'An order that goes on can be cancelled, one that has ended cannot.',
    '`order cancel` waits until the order has ended. Where the answer is lost, the order is read before it is asked for again.',
  ],
  'ORD-21': [
    'A cart can be read by its own account only.',
    'With another account the purchase looks as if it were not there.',
    'Check `spec.account` in hostwright.yaml.',
  ],
  'ORD-22': [
    'A site is ordered with its variant, location, plan and term.',
    'All four are needed to buy a site, and three of them cannot be changed later.',
    'Write them under `spec.order` and `spec.plan`; see `hostwright explain Site.order`.',
  ],
  'ORD-23': [
    'The platform ignores a name in the order of a site and gives the site a name of its own.',
    'The plan sets the name that you want after the purchase.',
  ],
  'ORD-25': [
    'A purchase needs a payment method and a complete billing contact.',
    'The platform refused the order. Nothing was charged.',
    'Add a default payment method and the billing contact in the dashboard, then run `hostwright apply` again.',
  ],
  'ORD-26': [
    'Names of plans and locations come from a list of the platform.',
    'A name that is not in the list is probably a slip.',
    'Correct `spec.plan` or `spec.order.location`. The message lists the names.',
  ],
  'ORD-27': [
    'The platform refuses an order that it cannot fulfil, and charges nothing.',
    'Plan, location, variant or term do not exist, or cannot be had by this account.',
    'Correct what the answer names in `spec.order` or `spec.plan`.',
  ],
  'ORD-28': [
    'A location without room refuses orders for a while. A plan that the account may not buy refuses them for good.',
    'Nothing was charged.',
    'Wait or choose another location; for the plan ask the platform.',
  ],
  'ORD-29': [
    'An order that is refused before or at its charge buys nothing.',
    'It can be sent again after the cause is removed.',
    'Correct what the answer names, then run `hostwright apply` again.',
  ],
  'ORD-30': [
    'To order a domain also makes a subscription for its renewal and a DNS zone.',
    'The registration renews and costs money every term until you switch that off.',
    'Write `autoRenew: false` in the manifest if you do not want that.',
  ],
  'ORD-31': [
    'A domain order either registers a free name or transfers one from elsewhere.',
    'A transfer needs the code that the present registrar gives you, for most TLDs.',
    'See `hostwright explain DomainRegistration.order`.',
  ],
  'ORD-32': [
    'A contact for a domain order needs first and last name, street, postal code, city, country, e-mail and phone.',
    'The platform refuses an order with a part missing.',
    'Complete the contact; see `hostwright explain DomainRegistration.contacts`.',
  ],
  'ORD-33': [
    'The holder of a new registration is given once: as a contact, or by another registration.',
    'Without a holder nothing can be ordered.',
    'Write `contacts.owner` in the manifest of the registration.',
  ],
  'ORD-36': [
    'Domain orders are refused by reasons of their own, and nothing is charged.',
    'The answer of the platform names the reason.',
    'Correct what it names, then run `hostwright apply` again.',
  ],
  'ORD-37': [
    'The registry says that the name cannot be registered.',
    'Somebody else has it, or it is reserved. Nothing was charged.',
    'Choose another name, or order a transfer if the name is yours elsewhere.',
  ],
  'ORD-38': [
    'The platform could not find out whether the name is free.',
    'That says nothing about the name. Nothing was charged.',
    'Run `hostwright plan` again later.',
  ],
  'ORD-42': [
    'Eight kinds of requests cost money.',
    'Orders of sites, domains, mailspaces and panel accounts, their changes of plan and a change of holder may be charged. The plan marks each of them.',
    'Allow them with `--allow-charges` and, for an amount, `--max-spend`.',
  ],
  'ORD-43': [
    'Nothing at the platform keeps an order from being placed two times.',
    'The ledger writes each purchase down before it is sent, and a purchase without an answer is never repeated by itself.',
    'If the fate of a purchase is unknown, look in the dashboard and run `hostwright ledger confirm`.',
  ],
  'PHP-01': [
    'The PHP versions of a site are a list that belongs to that site.',
    'Which versions there are may differ from site to site.',
  ],
  'PHP-03': [
    'A change of the PHP version restarts the site.',
    'Visitors may see errors for a short time.',
    'Apply it at a quiet hour. `beforeChange: { backup: true }` in the manifest makes a backup first.',
  ],
  'PHP-04': [
    'A PHP version is found by its label in the list of that very site.',
    'A label that the list does not have cannot be set.',
    'Use one of the versions that the message lists.',
  ],
  'PHP-06': [
    'To set the PHP version that is in use would restart the site for nothing.',
    'The version is read first, and sent only when it differs.',
  ],
  'SIT-03': [
    'Some facts of a site, its CNAME among them, are shown only in the view of that one site.',
    'Where that view cannot be read, the fact is unknown.',
  ],
  'SIT-05': [
    'A site gets another plan by a request that needs a user behind the credential.',
    'A system key is refused.',
    'Use the session or the API key of a user.',
  ],
  'SIT-07': [
    'A deleted site is locked, and no documented call brings it back. Discounts on other sites may change.',
    'Treat the removal of a site as final.',
    'Make a backup first, and ask the platform if a site has to come back.',
  ],
  'SIT-08': [
    'A site that is suspended or about to be deleted refuses every request, reads too.',
    'Nothing of it is known, so nothing of it is planned. The rest of the account is not affected.',
    'Pay what is open, or have the deletion withdrawn, in the dashboard.',
  ],
  'SIT-11': [
    'Only the name and the plan of a site can be changed.',
    'Location, variant and term stay as they were bought. A difference is reported, and the site is never replaced because of it.',
    'Correct the manifest to what is live, or order another site and move.',
  ],
  'SIT-12': ['Variant and term of a site are not in the list of sites.', 'A difference there cannot be noticed.'],
  'SIT-17': [
    'An empty "not found" below a site means that the site itself is unknown.',
    'The site was deleted, or belongs to another account, while the plan was made.',
    LOOK,
  ],
  'TML-02': [
    'Some platforms have no transactional mail.',
    'Mail settings of sites can be neither read nor written there.',
    'Remove `spec.mail` from the manifest.',
  ],
  'TML-03': [
    'A site without a mail account refuses settings, logs and checks.',
    'The account comes with the site, and no call makes one.',
    'Ask the platform for the mail account, or remove `spec.mail`.',
  ],
  'TML-04': [
    'Logs and numbers of mail need an active mail account.',
    'The account is pending or failed. Its settings can be written all the same.',
    'Run `hostwright site mail show` with the name of the site to see what is missing.',
  ],
  'TML-07': [
    'The mail account of a site is made together with the site.',
    'Where there is none, settings cannot be written.',
    'Ask the platform for the account, or remove `spec.mail`.',
  ],
  'TML-11': [
    'Mail settings that are left empty fall back to the defaults of the platform, and unknown settings are ignored without a word.',
    'Apply reads them back to be sure.',
  ],
  'TML-12': [
    'The sender address has at most 64 bytes before the @ and a plain form; the sender name has at most 255 bytes.',
    'The platform refuses anything else.',
    'Correct `spec.mail` in the manifest.',
  ],
  'TML-18': [
    'When the primary hostname changes, mail is held until the signing domain follows. No call changes that one.',
    'The site may send no mail for a while after the change.',
    'Check with `hostwright site mail show` and ask the platform if it stays held.',
  ],
  'TML-21': [
    'Some mail blocks cannot be lifted by a customer.',
    'The platform or the mail provider set the block, or the allowance of two in 30 days is used up.',
    'Contact the platform.',
  ],
  'TML-22': [
    'A lifting that failed may have worked at the mail provider all the same.',
    'It is read again, and never sent twice.',
    'Ask the platform how the account stands.',
  ],
  'TML-24': [
    'One DNS check of mail is allowed in five minutes.',
    'An earlier check, perhaps from the dashboard, counts too. Nothing was sent.',
    'Run the command again in five minutes.',
  ],
  'LIM-07': [
    'The DNS of a mail domain is checked once in five minutes, a block is lifted twice in 30 days.',
    'What is too soon is refused. The platform tells when it looked last, so a lost answer is found by that.',
  ],
  'TML-28': [
    'To write the same mail settings twice changes nothing.',
    'The request can be repeated after a lost answer.',
  ],
  'BKP-03': ['A backup is deleted by its volume and its archive.', 'It cannot be brought back.'],
  'BKP-04': [
    'A backup is restored by a request of its own, and replaces what the volume holds.',
    'What changed since the backup is lost.',
    'Make a backup of the present state first: `hostwright site backup shop`.',
  ],
  'BKP-05': [
    'The platform does not answer when a backup is finished.',
    'A backup counts as made when its archive is listed.',
  ],
  'ORD-44': [
    'An order is listed only after its charge has settled.',
    'An empty list of orders does not prove that nothing was bought.',
    'Look in the dashboard, then run `hostwright ledger confirm`.',
  ],
};
