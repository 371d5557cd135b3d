// The page at /: what can happen outside, with the line that plays each of it. It is made anew at every look, because
// what waits for somebody changes; it needs nothing from elsewhere and runs no script.
import { html, raw } from 'hono/html';
import { API_KEY } from './http/credentials.ts';
import type { OutsideEvent } from './outside.ts';
import { curlLine } from './outside.ts';

const STYLE = `
:root { color-scheme: light dark; --line: #d5d9e0; --soft: #5b6472; --code: #f3f5f8; --ink: #1a1f29; --paper: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --line: #39404d; --soft: #a3adbd; --code: #20252e; --ink: #e8ebf0; --paper: #14171d; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.25rem 4rem; font: 16px/1.5 system-ui, sans-serif;
  color: var(--ink); background: var(--paper); }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; }
h2 { font-size: 1.1rem; margin: 2.2rem 0 .6rem; }
p { margin: .4rem 0; }
.soft { color: var(--soft); }
ul { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line); }
li { padding: .7rem 0; border-bottom: 1px solid var(--line); }
pre { margin: .35rem 0 0; padding: .5rem .7rem; background: var(--code); border-radius: 6px; overflow-x: auto;
  white-space: pre-wrap; overflow-wrap: anywhere; user-select: all; }
code { font: .85rem/1.45 ui-monospace, monospace; }
`;

/** `origin`: where the sandbox listens; `account`: the one that examples are about. */
export function outsidePage(
  events: readonly OutsideEvent[],
  { origin, account, time }: { readonly origin: string; readonly account: string | undefined; readonly time: string },
) {
  const groups = [...new Set(events.map(({ group }) => group))];
  const variables = [
    `export HOSTWRIGHT_API_URL=${origin} HOSTWRIGHT_TOKEN=${API_KEY}`,
    ...(account === undefined ? [] : [`HOSTWRIGHT_ACCOUNT=${account}`]),
  ].join(' ');
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Hostwright sandbox</title>
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <h1>Hostwright sandbox</h1>
        <p>A platform on this machine. It keeps nothing. Its clock shows ${time}.</p>
        <p>Give these to the commands that shall use it:</p>
        <pre><code>${variables}</code></pre>
        <h2 id="outside">What can happen outside</h2>
        <p class="soft">
          You are the bank, the registrar, the owner of a domain, the colleague at the dashboard. A line is copied with
          one click and runs in a shell. Reload the page after a run to see what waits for somebody.
        </p>
        ${groups.map(
          (group) =>
            html`<h2>${group}</h2>
              <ul>
                ${events
                  .filter((event) => event.group === group)
                  .map(
                    (event) =>
                      html`<li>
                        ${event.does}
                        <pre><code>${curlLine(origin, event)}</code></pre>
                      </li> `,
                  )}
              </ul> `,
        )}
      </body>
    </html> `;
}
