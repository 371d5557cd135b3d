// What a text has to have in it, where an expectation would have the text: typed as text, which `expect` is not.
import { expect } from 'vitest';

export const containing = (part: string): string => expect.stringContaining(part) as string;

export const matching = (pattern: RegExp | string): string => expect.stringMatching(pattern) as string;
