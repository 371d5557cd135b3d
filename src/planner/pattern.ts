// Which addresses a pattern of `--target` and `--ignore` names: globs, and names as they are.
import picomatch from 'picomatch';
import type { Address } from '../model/address.ts';

/** True for the addresses that the pattern names; what is in them is the caller's to add. */
export function addressPattern(glob: string): (address: Address) => boolean {
  const matches = picomatch(glob, { dot: true, nonegate: true });
  // A name may hold what a pattern gives another meaning.
  return (address) => address === glob || matches(address);
}
