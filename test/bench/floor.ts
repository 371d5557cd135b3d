// What the requests of a command cost at best: undici sends the same ones, as many at once, and reads the answers. The
// arguments are a file with a `Taken`, the address, and how many at once.
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import type { Taken } from './server.ts';

const [, , file = '', url = '', atOnce = '1'] = process.argv;
const { requests, headers } = JSON.parse(readFileSync(file, 'utf8')) as Taken;
const { accept = '', authorization = '' } = headers;
const pool = new Pool(url, { connections: Number(atOnce), headersTimeout: 0 });
let next = 0;

async function work(): Promise<void> {
  for (let one = requests[next++]; one !== undefined; one = requests[next++]) {
    const common = { accept, authorization, 'x-auth-account': one.account };
    const { body } = await pool.request({
      method: one.method,
      path: one.path,
      headers: one.body === '' ? common : { ...common, 'content-type': 'application/json' },
      ...(one.body !== '' && { body: one.body }),
    });
    await body.text();
  }
}

void Promise.all(Array.from({ length: Number(atOnce) }, work)).then(() => pool.close());
