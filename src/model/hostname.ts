// Decides when two spellings are one hostname: letter case, one trailing dot and the two forms of an international name do not matter.
// Must not decide whether a hostname is allowed anywhere.
import { domainToASCII } from 'node:url';

/** The lower-case A-label form without trailing dot; text that is no hostname comes back trimmed and lower-cased, so that it still compares. */
export function canonicalHostname(text: string): string {
  const bare = text.trim().replace(/\.$/, '');
  return domainToASCII(bare) || bare.toLowerCase();
}
