// A server for mail that keeps what it is given. It speaks as much SMTP as a client that sends needs.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

export interface SmtpServer {
  readonly port: number;
  readonly mails: { readonly from: string; readonly to: readonly string[]; readonly text: string }[];
  /** The ids of all mails that were sent, also of those that were not taken. */
  readonly ids: string[];
  /** The login, as it was sent. */
  readonly logins: string[];
  /** What it answers to a mail, the last one for ever. */
  answers: string[];
  readonly close: () => Promise<unknown>;
}

export async function startSmtp(): Promise<SmtpServer> {
  const server = createServer((socket) => {
    let [from, buffer, isData] = ['', '', false];
    let to: string[] = [];
    const say = (line: string): void => void socket.write(`${line}\r\n`);
    say('220 mail.example.com');
    socket.setEncoding('utf8').on('error', () => undefined);
    socket.on('data', (text: string) => {
      buffer += text;
      for (let end = buffer.indexOf('\r\n'); end !== -1; end = buffer.indexOf('\r\n')) {
        if (isData) {
          const last = buffer.indexOf('\r\n.\r\n');
          if (last === -1) return;
          const answer = one.answers.length > 1 ? (one.answers.shift() as string) : (one.answers[0] as string);
          one.ids.push(/^Message-ID: (.*)$/m.exec(buffer)?.[1]?.trim() ?? '');
          if (answer.startsWith('250')) one.mails.push({ from, to, text: buffer.slice(0, last) });
          [isData, buffer, to] = [false, buffer.slice(last + 5), []];
          say(answer);
          continue;
        }
        const line = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        const [verb = ''] = line.toUpperCase().split(' ');
        if (verb === 'EHLO') say('250-mail.example.com\r\n250 AUTH PLAIN');
        else if (verb === 'AUTH') {
          one.logins.push(line);
          say('235 yes');
        } else if (verb === 'MAIL') {
          from = /<(.*?)>/.exec(line)?.[1] ?? '';
          say('250 yes');
        } else if (verb === 'RCPT') {
          to.push(/<(.*?)>/.exec(line)?.[1] ?? '');
          say('250 yes');
        } else if (verb === 'DATA') {
          isData = true;
          say('354 go on');
        } else if (verb === 'QUIT') {
          say('221 bye');
          socket.end();
        } else say('502 unknown');
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const one: SmtpServer = {
    port: (server.address() as AddressInfo).port,
    mails: [],
    ids: [],
    logins: [],
    answers: ['250 taken'],
    close: () => new Promise((resolve) => server.close(resolve)),
  };
  return one;
}
