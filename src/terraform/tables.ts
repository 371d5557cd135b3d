// The attributes of each resource and each data source, unpacked when they are first asked for.
import { inflateRawSync } from 'node:zlib';
import { DATA_TABLES, TABLES } from './generated/schema.ts';
import type { Fields, ResourceTable } from './value/attribute.ts';

export const tables = once<Readonly<Record<string, ResourceTable>>>(TABLES);
export const dataTables = once<Readonly<Record<string, Fields>>>(DATA_TABLES);

function once<Tables>(packed: string): () => Tables {
  let unpacked: Tables | undefined;
  return () => (unpacked ??= JSON.parse(inflateRawSync(Buffer.from(packed, 'base64')).toString('utf8')) as Tables);
}
