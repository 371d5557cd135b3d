// Whether a database is asked in the clear: only on this machine.
import { expect, it } from 'vitest';
import { isToBeEncrypted } from '../../src/platform/sql/database.ts';

it('on another machine it is reached over TLS, whatever its name begins with', () => {
  const isEncrypted = (address: string): boolean => isToBeEncrypted(new URL(address));
  expect(
    ['db.example.com', '127.evil.example', '127.0.0.1.example'].map((host) => isEncrypted(`postgres://a@${host}/b`)),
  ).toEqual([true, true, true]);
  expect(
    ['127.0.0.1', '127.8.9.10', 'localhost', '[::1]'].map((host) => isEncrypted(`postgres://a@${host}/b`)),
  ).toEqual([false, false, false, false]);
});
