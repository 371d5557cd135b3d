// A contact: plain data that other manifests name. The platform's own contact objects belong to one TLD each (DCT-01)
// and follow from where it is used. What a domain order asks of a registrant is required of it (ORD-32, ORD-41,
// DCT-09).
import type { DataKind } from '../../../model/kind/data-kind.ts';

export const contact: DataKind = { kind: 'Contact' };
