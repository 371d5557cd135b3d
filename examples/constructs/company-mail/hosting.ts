// The mailboxes of a company, from the list that its office keeps as a spreadsheet.
import { readFileSync } from 'node:fs';
import { App, Mailspace, secret } from 'hostwright/constructs';

const DOMAIN = 'shop.example.com';

interface Person {
  readonly address: string;
  readonly name: string;
  readonly groups: readonly string[];
  readonly quotaMb: number | undefined;
}

/** The lines of a CSV without quotes, which is what the office exports. */
function peopleIn(text: string): readonly Person[] {
  const [, ...lines] = text.trim().split(/\r?\n/);
  return lines.map((line, index) => {
    const [address = '', name = '', groups = '', quotaMb = '', ...others] = line.split(',');
    if (!address.endsWith(`@${DOMAIN}`) || others.length > 0)
      throw new Error(`mailboxes.csv:${index + 2}: an address at ${DOMAIN}, a name, groups and a quota are expected`);
    return {
      address,
      name,
      groups: groups.split(' ').filter((group) => group !== ''),
      quotaMb: quotaMb === '' ? undefined : Number(quotaMb),
    };
  });
}

const people = peopleIn(readFileSync(new URL('./mailboxes.csv', import.meta.url), 'utf8'));
const groups = [...new Set(people.flatMap((person) => person.groups))].sort();

const app = new App();
new Mailspace(app, DOMAIN, {
  mailboxes: people.map(({ address, name, quotaMb }) => ({
    address,
    displayName: name,
    ...(quotaMb !== undefined && { quotaMb }),
    // Sent once, when the mailbox is made; everybody sets their own afterwards.
    password: secret.env('FIRST_PASSWORD'),
  })),
  groups: groups.map((group) => ({
    email: `${group}@${DOMAIN}`,
    name: group,
    members: people.filter((person) => person.groups.includes(group)).map(({ address }) => address),
  })),
});

export default app;
