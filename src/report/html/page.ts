// The file around a report. Nothing in it comes from elsewhere, and its own policy says so to the browser: the one
// script and the one style that stand here, by their hashes.
import { createHash } from 'node:crypto';
import { markup, markupText } from './markup.ts';
import type { Markup, Part } from './markup.ts';
import { LIVE, SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

export interface Page {
  readonly title: string;
  /** What stands first: what this is, and what it comes to. */
  readonly head: readonly Part[];
  readonly main: readonly Part[];
  readonly foot: readonly Part[];
  /** Where the server is that tells of changes, seen from this page. Absent: it is a file. */
  readonly live?: string;
}

/** What a page may do, for the header of an answer too. */
export function policyOf(isLive: boolean): string {
  const scripts = [SCRIPT, ...(isLive ? [LIVE] : [])].map(hashOf).join(' ');
  const connect = isLive ? " connect-src 'self';" : '';
  return `default-src 'none'; script-src ${scripts}; style-src ${hashOf(STYLE)};${connect} base-uri 'none'; form-action 'none'`;
}

export function writePage({ title, head, main, foot, live }: Page): string {
  const policy = policyOf(live !== undefined);
  return markupText(markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
${STYLE}
</head>
<body${live !== undefined && markup` data-live="${live}"`}>
<a class="skip" href="#main">Skip to the content</a>
<header>${head}${live !== undefined && markup`<p class="live" role="status">Not live without a script</p>`}</header>
<main id="main" tabindex="-1">${main}</main>
<footer>${foot}</footer>
${SCRIPT}${live !== undefined && LIVE}
</body>
</html>`);
}

/** Of what stands between the tags, as browsers count it. */
function hashOf(element: Markup): string {
  const inside = markupText(element).replace(/^<\w+>|<\/\w+>$/g, '');
  return `'sha256-${createHash('sha256').update(inside).digest('base64')}'`;
}
