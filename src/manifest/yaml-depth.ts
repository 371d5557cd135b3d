// Decides when a document nests too deeply to be looked at. Must not recurse without end itself.
import type { CST } from 'yaml';

/** Deeper than any manifest, and far from the end of the stack. */
const MAX_DEPTH = 64;

/** The offset at which a parsed token nests too deeply, or undefined. */
export function tooDeepAt(token: CST.Token): number | undefined {
  return token.type === 'document' && token.value !== undefined ? search(token.value, 0) : undefined;
}

function search(token: CST.Token, depth: number): number | undefined {
  if (token.type !== 'block-map' && token.type !== 'block-seq' && token.type !== 'flow-collection') return undefined;
  if (depth >= MAX_DEPTH) return token.offset;
  for (const item of token.items) {
    const found = (item.key ? search(item.key, depth + 1) : undefined) ?? (item.value ? search(item.value, depth + 1) : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}
