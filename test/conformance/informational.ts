// Says of rules that the engine has nothing to do with why that is so. Whatever is here and is honoured all the same is
// stale.

/** Rule id -> why no place in the engine answers to it. */
export const INFORMATIONAL: Readonly<Record<string, string>> = {
  'CNV-18': 'there is nothing to do: no step-up is ever asked for',
  'CNV-34': 'a login is an operator command (`run sso`), not desired state',
  'ORD-47': 'waiting for the order, never for a payment, is the same for whoever bills (ORD-14)',
  'SIT-10': 'this program receives no webhooks',
  'SIT-16': 'what a site is suspended for is told by the requests that it refuses',
  'CDN-12': 'it is read where it is written',
  'CCH-10': 'metrics are shown as they come',
  'MSP-22': 'lists and masked addresses have no documented shape (GAP-44)',
  'MBX-27': 'they belong to the person who uses the mailbox',
  'MBX-28': 'none of it is done here, but for passwords that a manifest gives a place for',
  'MET-01': 'metrics are passed through and drawn as they come',
  'MET-02': 'metrics are passed through and drawn as they come',
  'MET-03': 'metrics are passed through and drawn as they come',
  'LIM-09': 'every wait has a deadline, and what passes it stays in flight (ORD-18)',
  'LIM-10': 'the schemas hold the lists and formats, without ids',
  'RTY-01': 'they are marked `repeat: safe` where they stand, each with its own rule',
  'O-04': 'a sub-account is another account, and so another workspace',
  'O-36': 'the package of a mailspace is changed by a person (GAP-36), and the plan says so',
  'O-50':
    'renewal that is switched off ends nothing before the name runs out; what goes from a mailspace goes in the same run',
  'O-53': 'this program removes no contact',
  'O-54': 'this program changes a contact only through the registration that uses it, and reads that back',
  'O-62': 'nothing here moves a name away: that is for a person in the dashboard',
};
