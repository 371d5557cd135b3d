// How the bytes of a file become text: UTF-8 and nothing else, a byte order mark dropped.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, diagnosticSource } from '../../model/diagnostic.ts';
import { SourceText } from './source-text.ts';
import { quote } from '../../model/format.ts';

/** A text, or what stands in its way. */
export interface ReadText {
  readonly source?: SourceText;
  readonly diagnostic?: Diagnostic;
}

/** Drops a byte order mark at the start. Made once: making one takes longer than reading a manifest with it. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes as text; `shown` is what the user called the file. */
export function decode(shown: string, bytes: Uint8Array): ReadText {
  try {
    return { source: new SourceText(shown, UTF8.decode(bytes)) };
  } catch {
    const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    const line = firstBadLine(bytes);
    const what = utf16
      ? `${quote(shown)} is UTF-16 text.`
      : `${quote(shown)} has bytes on line ${line} that are not UTF-8.`;
    return { diagnostic: diagnose('HW1004', what, diagnosticSource({ file: shown, line, column: 1 })) };
  }
}

/** No character of UTF-8 but the line feed has its byte, so lines can be tried one by one. */
function firstBadLine(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const at = bytes.indexOf(0x0a, start);
    const end = at === -1 ? bytes.length : at;
    try {
      UTF8.decode(bytes.subarray(start, end));
    } catch {
      return line;
    }
    start = end + 1;
  }
  return line;
}
