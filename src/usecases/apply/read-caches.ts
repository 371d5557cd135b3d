// What the reads of one apply share, so that nothing is read twice that nothing can have changed.
import type { Clock } from '../../model/clock.ts';
import type { Waits } from '../../apply/context.ts';
import type { ReadBacks } from '../../apply/read-backs.ts';
import { createReadBacks } from '../../apply/read-backs.ts';
import type { Owners } from '../../observe/owners.ts';
import { createOwners } from '../../observe/owners.ts';
import type { RecentReads } from '../../observe/recent-reads.ts';
import { createRecentReads } from '../../observe/recent-reads.ts';
import type { Client } from '../../platform/http.ts';

export interface ReadCaches {
  readonly owners: Owners;
  readonly readBacks: ReadBacks;
  /** Responses that reads right before a write share. */
  readonly recentReads: RecentReads;
  readonly waits: Waits;
}

/** The client of a run, of which the caches learn what it sends; nothing is known yet. */
export function withReadCaches(client: Client, clock: Clock): { readonly client: Client; readonly caches: ReadCaches } {
  const caches: ReadCaches = {
    owners: createOwners(clock),
    readBacks: createReadBacks(clock, client.poll),
    recentReads: createRecentReads(clock),
    waits: new Map(),
  };
  const both = [caches.owners, caches.readBacks];
  return {
    caches,
    client: {
      ...client,
      send: (request, options) =>
        client.send(request, options).finally(() => both.forEach((one) => one.sent(request.path))),
      forget: () => {
        client.forget();
        for (const one of both) one.forget();
      },
    },
  };
}
