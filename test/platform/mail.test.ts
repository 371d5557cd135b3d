// Mail with hostile texts: whatever is in a subject, a text, an id or an address, the server gets one mail, for the
// addresses of the workspace, with the headers of this program. And servers that are slow or answer with nonsense.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { realClock } from '../../src/library/real-clock.ts';
import type { Mail } from '../../src/platform/notify/mail.ts';
import { sendMail } from '../../src/platform/notify/mail.ts';
import { closing } from '../support/closing.ts';
import { startSmtp } from '../support/servers/smtp.ts';

const HEADERS = ['From', 'To', 'Subject', 'Message-ID', 'Date', 'MIME-Version', 'Auto-Submitted'];
const CONTENT = ['Content-Type', 'Content-Transfer-Encoding', 'Content-Disposition'];

function runtime() {
  const now = realClock.now();
  return {
    clock: realClock,
    random: () => 0.5,
    stop: new AbortController().signal,
    deadlineAtMs: now + 5_000,
    isRefused: () => false,
  };
}

const mailTo = (port: number, more: Partial<Mail> = {}): Mail => ({
  server: `smtp://127.0.0.1:${port}`,
  from: 'hosting@example.com',
  to: ['ops@example.com'],
  subject: 'acc-acme: 1 differs',
  text: 'Drift',
  id: 'msg_1',
  ...more,
});

const INJECTIONS: readonly string[] = [
  'x\r\nBcc: evil@example.com',
  'x\nBcc: evil@example.com\n',
  'x\rBcc: evil@example.com',
  'x\r\n\r\nanother body',
  'x\r\n.\r\nMAIL FROM:<evil@example.com>\r\nRCPT TO:<evil@example.com>\r\nDATA\r\nhello',
  'x\u2028Bcc: evil@example.com',
  'x\u0085Bcc: evil@example.com',
  'x\0Bcc: evil@example.com',
  'ü\r\nBcc: evil@example.com',
  `${'x'.repeat(2_000)}\r\nBcc: evil@example.com`,
];

const namesOf = (text: string): readonly string[] =>
  (text.split('\r\n\r\n')[0] ?? '').split('\r\n').flatMap((line) => /^([\w-]+):/.exec(line)?.[1] ?? []);

describe('a mail', () => {
  it.each(INJECTIONS)('with %j in its subject, text or id has no other header and no other recipient', async (text) => {
    const smtp = closing(await startSmtp());
    for (const more of [{ subject: text }, { text }, { id: text }]) {
      smtp.mails.length = 0;
      const failed = await sendMail(mailTo(smtp.port, more), runtime());
      expect(failed).toBeUndefined();
      expect(smtp.mails).toHaveLength(1);
      expect(smtp.mails[0]).toMatchObject({ from: 'hosting@example.com', to: ['ops@example.com'] });
      const names = namesOf(smtp.mails[0]?.text ?? '');
      expect(names.filter((name) => ![...HEADERS, ...CONTENT].includes(name))).toEqual([]);
      expect(names).toHaveLength(new Set(names).size);
    }
  });

  it.each([
    'a@example.com\r\nRCPT TO:<evil@example.com>',
    'a@example.com>\r\nDATA',
    'a@example.com, evil@example.com',
    'evil@example.com <a@example.com>',
  ])('with the address %j is never sent to an address in it', async (address) => {
    const smtp = closing(await startSmtp());
    await sendMail(mailTo(smtp.port, { to: [address] }), runtime());
    await sendMail(mailTo(smtp.port, { from: address }), runtime());
    const named = smtp.mails.flatMap(({ to }) => to);
    expect(named.filter((one) => /[\r\n]/.test(one) || one === 'evil@example.com')).toEqual([]);
  });

  it.each([
    ['says nothing', () => undefined],
    ['says half a line', (write: (text: string) => void) => write('220 mail')],
    ['says nonsense', (write: (text: string) => void) => write('\0\0\0\r\n'.repeat(100))],
    ['sends lines without end', (write: (text: string) => void) => write(`220-${'x'.repeat(1_000_000)}`)],
  ])('to a server that %s is given up within the deadline, with the reason', async (_, speak) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      speak((text) => void socket.write(text));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing({ close: () => new Promise((resolve) => server.close(resolve)) });
    const { port } = server.address() as AddressInfo;
    const reason = await sendMail(mailTo(port), { ...runtime(), deadlineAtMs: realClock.now() + 500 });
    expect(reason).toMatch(/^it /);
  });
});
