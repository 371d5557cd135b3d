// Which top-level domains this sandbox knows, and how they differ: one for each way in which a registry can be
// peculiar. A scenario may change or add any of them.

export class Tld {
  declare readonly id: number;
  declare readonly name: string;
  /** null: nobody registers names there. */
  registrar: string | null = 'sandbox-registrar';
  /** null: it has no price. */
  registerCents: number | null = 1_200;
  transferCents: number | null = 1_100;
  /** null: free. */
  privacyCents: number | null = null;
  /** null: free, and not for sale as an order. */
  registrantChangeCents: number | null = null;
  /** How long the registrar takes for a change; 0: no time at all. */
  processMs = 0;
  privacy = true;
  lock = true;
  push = true;
  dnssec = true;
  /** The registrant has to confirm name and address. */
  validation = false;
  authcode: 'shown' | 'hidden' = 'shown';
  /** Whether a transfer takes one. */
  needsAuthcode = true;
  needsState = false;
  /** Properties that a contact has to have. */
  properties: readonly string[] = [];
}

const DAY_MS = 86_400_000;

export function tldOf(id: number, name: string, given: Partial<Tld> = {}): Tld {
  return Object.assign(new Tld(), { id, name }, given);
}

export function everyTld(): Tld[] {
  return [
    tldOf(1, 'com', { validation: true }),
    tldOf(2, 'net'),
    tldOf(3, 'org'),
    // Can do hardly anything.
    tldOf(4, 'nl', {
      privacy: false,
      lock: false,
      push: false,
      dnssec: false,
      authcode: 'hidden',
      needsAuthcode: false,
    }),
    // Takes its time.
    tldOf(5, 'eu', { processMs: 2 * DAY_MS }),
    // Charges for everything.
    tldOf(6, 'shop', { privacyCents: 500, registrantChangeCents: 1_500 }),
    // Asks more of its contacts.
    tldOf(7, 'us', { needsState: true, properties: ['nexus_category'] }),
    // Charges, and takes its time.
    tldOf(8, 'store', { privacyCents: 500, registrantChangeCents: 1_500, processMs: 2 * DAY_MS }),
    // Nobody registers names there; nobody knows what they cost.
    tldOf(9, 'zz', { registrar: null }),
    tldOf(10, 'rare', { registerCents: null, transferCents: null }),
  ];
}
