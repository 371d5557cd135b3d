// Texts that only the owners of some keys can read: files in the format of age. What is no secret stands in the header
// in the open, where `age` passes over it, so that a later run can tell what the file is about.
import type { JsonObject } from '../../model/json.ts';
import { parseJsonObject } from '../../model/json.ts';
import { quote } from '../../model/format.ts';

/** The kind of header line that holds what is no secret. */
const OPEN = 'hostwright';

/** Encrypts a text to public keys of age; as text too. */
export async function encryptTo(recipients: readonly string[], text: string, open: JsonObject): Promise<string> {
  const { armor, Encrypter, Stanza } = await import('age-encryption');
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  encrypter.addRecipient({ wrapFileKey: () => [new Stanza([OPEN], Buffer.from(JSON.stringify(open)))] });
  return `${armor.encode(await encrypter.encrypt(text)).trimEnd()}\n`;
}

/** What is wrong with the keys, or undefined. */
export async function recipientProblem(recipients: readonly string[]): Promise<string | undefined> {
  const canEncryptTo = (keys: readonly string[]): Promise<boolean> =>
    encryptTo(keys, '', {}).then(
      () => true,
      () => false,
    );
  for (const recipient of recipients)
    if (!(await canEncryptTo([recipient])))
      return `cannot be encrypted: ${quote(recipient)} under \`secrets.recipients\` is no public key of age`;
  if (await canEncryptTo(recipients)) return undefined;
  return 'cannot be encrypted: the public keys under `secrets.recipients` cannot be used together';
}

/** What stands in the header in the open; undefined where the text is no such file, or not all of it. */
export async function openPartOf(text: string): Promise<JsonObject | undefined> {
  if (!text.startsWith('-----BEGIN AGE ENCRYPTED FILE-----')) return undefined;
  const { armor } = await import('age-encryption');
  try {
    const header = Buffer.from(armor.decode(text)).toString('latin1');
    const body = new RegExp(`^-> ${OPEN}\\n((?:[A-Za-z0-9+/]{64}\\n)*[A-Za-z0-9+/]{0,63}\\n)`, 'm').exec(header)?.[1];
    return parseJsonObject(Buffer.from(body ?? '', 'base64').toString('utf8'));
  } catch {
    return undefined;
  }
}
