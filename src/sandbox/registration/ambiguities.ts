// How the sandbox reads what the API documents leave open about domain registration; see ambiguities.ts, which holds
// the rest and checks them all. `not-shown` answers 501: a client that sends what no document shows is told so.

export const REGISTRATION_AMBIGUITIES = {
  /** Whether the integer of a contact source may also be the guid. */
  'GAP-12': ['integer', 'guid-too'],
  /** Whether a contact, and a registration, is an object under its own name. */
  'GAP-50': ['wrapped', 'bare'],
  /** What a contact of another TLD does where it is reused: it is refused, or copied. */
  'GAP-50.tld': ['refused', 'copied'],
  /** How the items of `validations` look. */
  'GAP-50.validations': ['objects', 'texts'],
  /** What the address of a process answers. */
  'GAP-51': ['not-shown', 'wrapped', 'bare'],
  /** Whether the id of a process can still be read once it has ended. */
  'GAP-51.ended': ['cleared', 'kept'],
  /** Whether writes to hosts wait for other changes. */
  'GAP-52': ['guarded', 'unguarded'],
  /** Whether writes to hosts can take as long as others. */
  'GAP-52.process': ['at-once', 'as-others'],
  /** Making a host that is there. */
  'GAP-52.repeat': ['refused', 'replaces'],
  /** Whether a name server below the name itself needs a host. */
  'GAP-52.glue': ['not-needed', 'needed'],
  /** Whether addresses of hosts read in their short form, or as they were sent. */
  'GAP-52.addresses': ['short', 'as-sent'],
  /** Switching renewal off after the window. */
  'GAP-53': ['refused', 'late-cancel'],
  /** Whether the fields of the window are left out, or null, where there is none. */
  'GAP-53.fields': ['absent', 'null'],
  /** Enabling DNSSEC where it is enabled. */
  'GAP-54': ['replaces', 'adds', 'refused'],
  /** Adding keys where DNSSEC is not enabled. */
  'GAP-54.add': ['enables', 'stays-off', 'refused'],
  /** Changing a registration that is not OK. */
  'GAP-55': ['refused', 'accepted'],
  /** What an expired name reads as until it is purged. */
  'GAP-55.expired': ['stays', 'redemption'],
  /** Whether a name on its way here is a registration already. */
  'GAP-55.arriving': ['absent', 'listed'],
  /** Whether a name that has left is still listed. */
  'GAP-55.left': ['gone', 'listed'],
  /** The live view of a transfer away. */
  'GAP-55.transfer': ['registry', 'empty'],
  /** Whether a contact can be changed while the registrar works on a registration of it. */
  'GAP-57': ['accepted', 'busy'],
  /** Whether changing a validated field of a contact is refused, for want of a way to confirm it. */
  'GAP-57.validated': ['accepted', 'refused'],
  /** Whether a role that follows the owner has the owner's contact, or a copy. */
  'GAP-58': ['same', 'copy'],
  /** Which changes the registrar takes its time for: those of slow TLDs, none, or all. */
  'GAP-63': ['by-tld', 'never', 'always'],
  /** Whether a change that is still being worked on shows already. */
  'GAP-63.fields': ['after', 'at-once'],
  /** What paying for privacy at the portal does: it is on, or it can be switched on. */
  'GAP-64': ['switches', 'allows'],
  /** Whether the envelope of a change of registrant has its order at once. */
  'GAP-66': ['later', 'at-once'],
  /** Whether what is added to a view or a change stands inside the registration, or beside it. */
  registrationExtras: ['inside', 'beside'],
  /** Whether name servers read in lower case, without final dots and sorted, or as they were sent. */
  nameservers: ['tidied', 'as-sent'],
  /** Whether registries refuse changes to a name that is locked. */
  lockedNames: ['changeable', 'refused'],
  /** Which registries hold some fields of a contact for validated: those that ask for validation, or all. */
  validatedFields: ['by-tld', 'always'],
  /**
   * Whether validated fields have to be confirmed only where the holder is edited, or where another one takes its place
   * too.
   */
  confirmedModes: ['edit', 'edit-and-change'],
  /** Whether editing the holder leaves what it omits, or clears what may be empty. */
  holderFields: ['partial', 'full'],
  /** Whether the contact that replaces the holder is named inside `holder_contact`, or beside it. */
  holderSource: ['inside', 'beside'],
  /** Whether the keys of a role stand beside its `{role}_contact`, or in it. */
  roleKeys: ['flat', 'nested'],
  /** What editing the holder does to the other names of the same contact. */
  holderShared: ['shared', 'split'],
  /** How the faults of a contact are listed. */
  violations: ['texts', 'map'],
} as const;
