// A document that is read whole: nothing of it is left out, whatever its length.
import type { Block } from './blocks/block.ts';
import { WHOLE } from './markdown/fit.ts';
import { writeMarkdown } from './markdown/write.ts';
import type { TextOptions } from './text/write.ts';
import { writeText } from './text/write.ts';

/** Markdown, or else text. */
export function writePage(blocks: readonly Block[], format: string, options: TextOptions): string {
  return format === 'markdown' ? writeMarkdownPage(blocks) : writeText(blocks, options);
}

export function writeMarkdownPage(blocks: readonly Block[]): string {
  return writeMarkdown({ blocks }, WHOLE) ?? '';
}
