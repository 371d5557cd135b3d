// `npm run pictures`: writes the pictures of the README and docs anew. The comment needs a Chromium (CHROME_PATH).
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { chromium } from 'playwright-core';
import { tellStory } from './story.ts';

const images = join(import.meta.dirname, '../../docs/images');

/** As GitHub shows a comment, near enough. */
const STYLE = `
body { margin: 0; padding: 16px; background: #fff; }
article { width: 820px; border: 1px solid #d1d9e0; border-radius: 6px; padding: 16px; box-sizing: border-box;
  font: 14px/1.5 -apple-system, BlinkMacSystemFont, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif; color: #1f2328; }
article > :first-child { margin-top: 0; } article > :last-child { margin-bottom: 0; }
p, ul, ol, table, details, pre { margin: 0 0 14px; } ul, ol { padding-left: 28px; } h3 { font-size: 18px; margin: 18px 0 12px; }
code { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; background: #818b981f; padding: .2em .4em; border-radius: 6px; }
pre { background: #f6f8fa; padding: 12px; border-radius: 6px; } pre code { background: none; padding: 0; }
table { border-collapse: collapse; } td, th { border: 1px solid #d1d9e0; padding: 6px 13px; } tr:nth-child(2n) { background: #f6f8fa; }
`;

async function photograph(markdown: string, path: string): Promise<void> {
  const html = micromark(markdown, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    // The comment is our own: its folds are HTML.
    allowDangerousHtml: true,
  });
  const folder = await mkdtemp(join(tmpdir(), 'hostwright-picture-'));
  const browser = await chromium.launch({
    executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 852, height: 100 } });
    await writeFile(
      join(folder, 'comment.html'),
      `<!doctype html><meta charset="utf-8"><style>${STYLE}</style><article>${html}</article>`,
    );
    await page.goto(pathToFileURL(join(folder, 'comment.html')).href);
    await page.screenshot({ path, fullPage: true });
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const { terminal, comment } = await tellStory();
await writeFile(join(images, 'terminal.svg'), terminal);
await writeFile(join(images, 'plan-comment.md'), comment);
await photograph(comment, join(images, 'plan-comment.png'));
