// The page of diagnostics is written by hand, but for what the program prints with each code.
import type { Entry } from '../src/model/codes.ts';
import { CODES } from '../src/model/codes.ts';

/** The page, with what the program prints with each code as a quote below its heading. */
export function diagnosticsPage(page: string): string {
  const quotes = new Map(
    Object.entries<Entry>(CODES).map(([code, { summary, remedy = '' }]) => [code, `> ${summary}. ${remedy}`.trimEnd()]),
  );
  return page.replaceAll(
    /^### (HW\d{4})\n\n(?:> .*\n\n)?/gm,
    (_, code: string) => `### ${code}\n\n${quotes.get(code)}\n\n`,
  );
}
