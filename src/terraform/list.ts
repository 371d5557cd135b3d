// What `terraform query` finds: the live objects of one type of resource.
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose } from '../model/diagnostic.ts';
import { listRoots } from '../usecases/one-root/questions.ts';
import type { Configured } from './configured.ts';
import { importResource, readResource } from './resource/read.ts';
import type { ResourceTable } from './value/attribute.ts';
import type { Value, ValueObject } from './value/cty.ts';

/** One of them, or why there is none. */
export interface Found {
  readonly name: string;
  readonly state?: ValueObject;
  /** All of it, where that was asked for and could be read. */
  readonly whole?: Value;
  readonly diagnostics: readonly Diagnostic[];
}

/** The live objects of a type, `limit` at most; 0: all. */
export async function listResource(
  table: ResourceTable,
  configured: Configured,
  { isWhole, limit }: { readonly isWhole: boolean; readonly limit: number },
): Promise<readonly Found[]> {
  const listed = await listRoots(configured.access(), table.kind);
  if (listed.is === 'unread')
    return listed.isOff ? [] : [{ name: '', diagnostics: [diagnose('HW7026', `${table.kind}: ${listed.reason}.`)] }];
  const roots = limit > 0 ? listed.roots.slice(0, limit) : listed.roots;
  return Promise.all(
    roots.map(async ({ id, name, address, idle }): Promise<Found> => {
      const stub = importResource(table, { id, account: configured.workspace.account });
      if (idle !== undefined)
        return {
          name,
          state: stub.state,
          diagnostics: [diagnose('HW7007', `It cannot be managed: ${idle}.`, { address })],
        };
      if (!isWhole) return { name, state: stub.state, diagnostics: [] };
      const { state, diagnostics } = await readResource(table, configured, stub.state, stub.private);
      const isRead = diagnostics.every(({ severity }) => severity !== 'error');
      return { name, state: stub.state, ...(isRead && { whole: state }), diagnostics };
    }),
  );
}
