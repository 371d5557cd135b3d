// A name server on this machine for tests: answers by a table, over UDP, as the wire format of RFC 1035 has it.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { RecordType } from '../../../src/model/dns.ts';

/** By `TYPE name`: values, or how it goes wrong. What is not there is a name without such records. */
export type Zone = Readonly<Record<string, readonly string[] | 'nxdomain' | 'servfail' | 'silent'>>;

export interface NameServer {
  /** As `--resolver` takes it. */
  readonly address: string;
  readonly asked: string[];
  readonly close: () => Promise<void>;
}

const TYPES: Readonly<Record<number, RecordType>> = { 1: 'A', 2: 'NS', 5: 'CNAME', 15: 'MX', 16: 'TXT', 28: 'AAAA' };

export async function startNameServer(zone: Zone): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, from) => {
    const { name, end } = readName(query);
    const type = TYPES[query.readUInt16BE(end)] ?? 'A';
    asked.push(`${type} ${name}`);
    const found = zone[`${type} ${name}`] ?? [];
    if (found === 'silent') return;
    const values = typeof found === 'string' ? [] : found;
    const code = found === 'nxdomain' ? 3 : found === 'servfail' ? 2 : 0;
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180 | code, 2);
    head.writeUInt16BE(values.length, 6);
    head.writeUInt32BE(0, 8);
    const answers = values.map((value) => {
      const data = encode(type, value);
      const row = Buffer.alloc(12);
      row.writeUInt16BE(0xc00c, 0);
      query.copy(row, 2, end, end + 4);
      row.writeUInt32BE(60, 6);
      row.writeUInt16BE(data.length, 10);
      return Buffer.concat([row, data]);
    });
    socket.send(Buffer.concat([head, query.subarray(12, end + 4), ...answers]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  return { address: `127.0.0.1:${port}`, asked, close: () => new Promise((resolve) => socket.close(() => resolve())) };
}

function readName(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}

function encode(type: RecordType, value: string): Buffer {
  switch (type) {
    case 'A':
      return Buffer.from(value.split('.').map(Number));
    case 'AAAA':
      return Buffer.from(
        value.split(':').flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 0xff]),
      );
    case 'TXT':
      return Buffer.concat(
        (value.match(/.{1,255}/gs) ?? ['']).map((part) =>
          Buffer.concat([Buffer.from([part.length]), Buffer.from(part)]),
        ),
      );
    case 'MX': {
      const [priority = '', exchange = ''] = value.split(' ');
      return Buffer.concat([Buffer.from([0, Number(priority)]), encodeName(exchange)]);
    }
    case 'CNAME':
    case 'NS':
      return encodeName(value);
  }
}

function encodeName(name: string): Buffer {
  return Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ]);
}
