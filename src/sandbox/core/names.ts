// How domain names and addresses of mail are read and written.

const HOSTNAME = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;
const LOCAL_PART = /^(?=.{1,64}$)[a-z0-9](?:[a-z0-9._%+-]*[a-z0-9])?$/;

export function isHostname(text: string): boolean {
  return HOSTNAME.test(text);
}

/** What somebody may paste: `https://www.Example.com/shop` means example.com. */
export function normalDomain(text: string): string {
  // MDM-06: the name of a domain loses scheme, www., path and trailing dot, and its capitals.
  return text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/.*$/, '')
    .replace(/\.$/, '');
}

/** A bare local part belongs to `domain`. Lower-cased; undefined where it is no address. */
export function readAddress(text: string, domain?: string): string | undefined {
  const whole = text.trim().toLowerCase();
  const qualified = whole.includes('@') || domain === undefined ? whole : `${whole}@${domain.trim().toLowerCase()}`;
  const at = qualified.lastIndexOf('@');
  const fits =
    at > 0 &&
    LOCAL_PART.test(qualified.slice(0, at)) &&
    !qualified.includes('..') &&
    isHostname(qualified.slice(at + 1));
  return fits ? qualified : undefined;
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

export function localPartOf(address: string): string {
  return address.slice(0, address.lastIndexOf('@'));
}
