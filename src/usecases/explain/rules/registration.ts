// Domain registrations, their contacts, hosts and processes at the registrar.
import type { RuleTable } from './rule.ts';

const WAIT = 'Wait until the registrar is finished, then run `hostwright apply` again.';

export const REGISTRATION_RULES: RuleTable = {
  'DCT-03': [
    'A contact is made for one ending of domain names.',
    'An ending that the platform does not sell is refused.',
  ],
  'DCT-04': [
    'A change of a contact may take the registrar some time.',
    'Apply waits for it. A contact that no name uses needs an ending.',
    WAIT,
  ],
  'DCT-06': ['A contact can be removed only while no registration uses it.', 'Contacts in use stay.'],
  'DCT-08': [
    'A change of a contact changes every registration that uses it.',
    'The other names are locked for changes meanwhile, and show the new details.',
    'If they are to keep their details, give one of them a contact of its own in the dashboard.',
  ],
  'HST-02': [
    'A host is below the name of its registration and has at least one address.',
    'A host of another name is refused.',
    'Write the host in the manifest of the name that it is below.',
  ],
  'HST-03': [
    'A change of a host replaces all its addresses.',
    'Addresses that the manifest does not list are removed.',
  ],
  'REG-01': [
    'Domain registration is switched on for some accounts only.',
    'Nothing of it can be read or written here.',
    'Ask the platform to enable it, or remove the manifests of registrations.',
  ],
  'REG-02': [
    'Every request about registrations needs the account, a role that may edit, and the scope for domains.',
    'The credential lacks one of them.',
    'Use a credential with `domains:write` whose user may edit.',
  ],
  'REG-04': [
    'A registration shows its settings, dates, name servers and contacts in one view.',
    'One read is enough to compare them.',
  ],
  'REG-05': [
    'What can be set depends on the ending of the name.',
    'The ending of this name does not have the setting.',
    'Remove the field from the manifest.',
  ],
  'REG-06': [
    'What a change of holder or privacy costs is shown in some answers only.',
    'Where no price is shown, it is unknown, which is not the same as free.',
    'Make the change in the dashboard, where its price is shown. The next plan sees that it is done.',
  ],
  'REG-09': [
    'The list of registrations is searched by a part of the name.',
    'A name that is no longer listed was moved or given up meanwhile.',
    'Run `hostwright plan` again.',
  ],
  'REG-10': [
    'Any change of a registration may be done at once or take the registrar some time.',
    'Apply waits and then compares.',
    WAIT,
  ],
  'REG-11': [
    'While the registrar works on a name, the platform refuses other changes of it.',
    'Nothing was done by the refused request.',
    WAIT,
  ],
  'REG-12': [
    'Automatic renewal is switched by a request of its own.',
    'Switched off, the name ends on its date. The platform says whether something is refunded.',
  ],
  'REG-13': [
    'When renewal is switched off early, the platform may refund the term and end the name at once. Later it may refuse.',
    'The end of the name can come sooner than its date.',
    'Check the dates in the dashboard before you write `autoRenew: false`.',
  ],
  'REG-14': [
    'Name servers are written as a whole list, and never as an empty one.',
    'Name servers that the manifest does not list are removed.',
  ],
  'REG-15': [
    'The transfer lock exists for some endings only, and the registry can hold it itself.',
    'Then it cannot be moved by you.',
    'Remove `locked` from the manifest, or ask the registry.',
  ],
  'REG-16': [
    'To hide the holder in public records can be switched off for nothing, and may cost money to switch on.',
    'The platform sells it at its portal, not over the API.',
    'Buy it in the dashboard. The next plan sees that it is done.',
  ],
  'REG-17': [
    'DNSSEC is enabled and extended with keys, and disabled without.',
    'The keys come from whoever runs the name servers.',
    'Write them under `dnssec.keys`; see `hostwright explain DomainRegistration.dnssec`.',
  ],
  'REG-18': [
    'The keys of DNSSEC are never shown by the platform.',
    'Whether the live keys are the declared ones is unknown. They are sent when DNSSEC is enabled and when `rotate` changes.',
    'Change `dnssec.rotate` to send them again.',
  ],
  'REG-20': [
    'To edit the details of the present holder is free. Another holder may cost money.',
    'The plan says which of the two it is, and the price where the platform shows one.',
  ],
  'REG-21': [
    'A change of a verified detail, such as the e-mail address, needs to be confirmed.',
    'The registrar asks the holder again. Without an answer the name can be suspended.',
    'Write `confirmReverification` with the new address, and tell the holder about the mail.',
  ],
  'REG-22': [
    'Another contact becomes the holder only if some registration uses it already.',
    'A contact that nobody uses is refused.',
    'Declare the details of the new holder in `contacts.owner`.',
  ],
  'REG-23': [
    'A change of holder that costs money is bought like an order.',
    'It needs the credential of a user and a limit for charges.',
    'Write `ownerChange` with `paid: true`, and apply with `--allow-charges 1`.',
  ],
  'REG-24': [
    'The purchase of a change of holder is refused by reasons of its own, and nothing is charged.',
    'The answer of the platform names the reason.',
    'Correct what it names, then run `hostwright apply` again.',
  ],
  'REG-25': [
    'A name gets another holder in one of three ways, which depend on who it is and what it costs.',
    'Another name or organization is another holder, in the eyes of the registry too. It needs your word in the manifest.',
    'If it is meant, write `ownerChange` with the contact of `contacts.owner` as its `to`, and `paid: true` where it costs something.',
  ],
  'REG-26': [
    'The other contacts of a registration are set one by one.',
    'A contact that the manifest does not name stays.',
  ],
  'REG-27': ['The transfer code of a name may be withheld by the registry.', 'It cannot be read then.'],
  'REG-29': [
    'A transfer of a name to somebody else is approved or refused by a person.',
    'Hostwright never decides it.',
    'Decide it in the dashboard.',
  ],
  'REG-30': [
    'A push of a name to another account can be refused without a code.',
    'The text of the answer has the reason.',
  ],
  'REG-31': [
    'The reminder to confirm who you are exists for some endings only.',
    'The ending of this name does not have it.',
  ],
  'REG-32': [
    'A check tells whether a name can be had, and what registering and transferring cost.',
    'A premium name, an unknown ending or a missing price keeps the plan from buying.',
    'Do what the message says: correct the name, buy it in the dashboard, or remove its `order`.',
  ],
  'REG-33': [
    'Suggestions of names come from several sources, and can fail by themselves.',
    'That says nothing about the names.',
  ],
  'REG-34': [
    'An ending without a registrar is refused for good; a registrar that fails is refused for a while.',
    'Nothing was done, or it is found out by reading.',
    'For the first ask the platform; for the second run `hostwright apply` again later.',
  ],
  'REG-37': [
    'No call of the platform ends a registration.',
    'A name ends when its renewal is off and its date has come.',
    'Write `autoRenew: false`, apply it, and remove the manifest when the name has ended.',
  ],
  'REG-38': [
    'A process at the registrar that is over may have changed nothing.',
    'Apply reads the registration again and compares.',
    'If it still differs, run `hostwright plan` again and look in the dashboard for the reason.',
  ],
  'DCT-05': [
    'When some names refuse the change of a shared contact, the platform splits it: those names keep the old contact, the others get a new one.',
    'A success of the request does not mean that all names changed.',
    'Look at the names that the report lists, and declare their contact by itself.',
  ],
  'REG-28': [
    'A name can be compared with the registry anew.',
    'The platform then shows what the registry knows, and says what changed.',
  ],
  'REG-35': [
    'A registration is OK, expired, or on its way to somebody else. Other states exist.',
    'Only one that is OK is changed.',
    'Look in the dashboard whether it is to be renewed, restored or given up.',
  ],
  'REG-36': [
    'A name that is about to leave is left alone.',
    'It may belong to somebody else soon.',
    'Decide the transfer in the dashboard, then run `hostwright plan` again.',
  ],
};
