// When two spellings are one hostname: letter case, one trailing dot and the two forms of an international name do not
// matter.
import { domainToASCII } from 'node:url';
import type { Json } from './json.ts';

// Canonical already: what the platform lists nearly always is. A last label of digits could be an IP address, so it is
// not taken here.
const CANONICAL = /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/;

/**
 * The lower-case A-label form without trailing dot; text that is no hostname comes back trimmed and lower-cased, so
 * that it still compares.
 */
export function canonicalHostname(text: string): string {
  if (CANONICAL.test(text)) return text;
  const bare = text.trim().replace(/\.$/, '');
  return domainToASCII(bare).replace(/\.+$/, '') || bare.toLowerCase();
}

/** True when a value of the platform is what a person wrote; letter case, and a dot at the end of hostnames, do not matter. */
export function sameName(value: Json | undefined, written: string): boolean {
  if (typeof value === 'number') return String(value) === written;
  if (typeof value !== 'string') return false;
  return value === written || value.toLowerCase() === written.toLowerCase() || sameHostname(value, written);
}

function sameHostname(left: string, right: string): boolean {
  return right.includes('.') && canonicalHostname(left) === canonicalHostname(right);
}

/** True for a name or an address of this machine. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}
