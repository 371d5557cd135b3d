// The page in a real browser: Chromium, where there is one (CHROME_PATH, or `chromium` on the path). Looked at as a
// reader would: searched, walked through with the keyboard, in light and dark, on a phone, printed, with 2,000 actions.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Fleet } from '../../../src/model/plan/fleet.ts';
import { FLEET_FORMAT } from '../../../src/model/plan/fleet.ts';
import { accountsReport } from '../../../src/report/blocks/accounts.ts';
import { writeHtml } from '../../../src/report/html/write.ts';
import { withoutPersonal } from '../../../src/report/view/personal.ts';
import { executablePath, FLAGS } from '../../support/browser.ts';
import { fleetHtml, NOW_MS, outcomeHtml, planHtml } from '../../support/reports.ts';
import { isWhole } from '../../support/whole.ts';
import { hostileAccounts, manyAccounts } from './accounts-samples.ts';
import { bigPlan, driftPlan, EVIL, hostilePlan, mixedOutcome, mixedPlan } from './html-samples.ts';

const fleet: Fleet = {
  format: FLEET_FORMAT,
  command: 'plan',
  outcome: 'differences',
  exitCode: 2,
  diagnostics: [],
  accounts: ['acc-00001', 'acc-00002'].map((account) => ({
    account,
    workspace: `clients/of-${account}`,
    outcome: 'differences',
    requests: 1,
    ms: 1,
    diagnostics: [],
    note: 'registration bakery-amsterdam.example is not renewed',
    plan: withoutPersonal(driftPlan),
  })),
};

const pages = {
  plan: () => planHtml(withoutPersonal(mixedPlan), { verbose: true }),
  drift: () => planHtml(withoutPersonal(driftPlan), { heading: 'Drift' }),
  outcome: () => outcomeHtml(mixedOutcome),
  fleet: () => fleetHtml(fleet),
  accounts: () => writeHtml(accountsReport(manyAccounts(60)), NOW_MS),
  hostileAccounts: () => writeHtml(accountsReport(hostileAccounts(EVIL)), NOW_MS),
  allAccounts: () => writeHtml(accountsReport(manyAccounts(500)), NOW_MS),
  hostile: () => planHtml(hostilePlan(EVIL.join(' ')), { verbose: true }),
  many: () => planHtml(bigPlan(120)),
  big: () => planHtml(bigPlan(2000)),
} as const;
type Name = keyof typeof pages;
const somePages: readonly Name[] = isWhole
  ? (Object.keys(pages) as Name[])
  : ['plan', 'fleet', 'hostile', 'accounts', 'hostileAccounts'];

if (executablePath === undefined)
  process.stderr.write(
    'test/report/html/html-browser.test.ts is skipped: no chromium on the path, and no CHROME_PATH.\n',
  );

describe.skipIf(executablePath === undefined)('a page in Chromium', () => {
  let folder = '';
  let browser: Browser;
  const opened: Page[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hostwright-html-'));
    for (const [name, render] of Object.entries(pages)) await writeFile(join(folder, `${name}.html`), render());
    browser = await chromium.launch({ executablePath: executablePath as string, args: FLAGS });
  });
  afterEach(async () => {
    for (const page of opened.splice(0)) await page.close();
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** A page from disk. Whatever it asks the network for, and whatever goes wrong in it, is a failure. */
  async function open(
    name: Name,
    options: Parameters<Browser['newPage']>[0] = {},
  ): Promise<{ readonly page: Page; readonly wrong: readonly string[] }> {
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, ...options });
    opened.push(page);
    const wrong: string[] = [];
    page.on('console', (message) => wrong.push(message.text()));
    page.on('pageerror', ({ message }) => wrong.push(message));
    page.on('dialog', (dialog) => {
      wrong.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith('file:')) wrong.push(request.url());
    });
    await page.goto(pathToFileURL(join(folder, `${name}.html`)).href);
    return { page, wrong };
  }

  const shown = (page: Page): Promise<number> =>
    page.evaluate<number>('document.querySelectorAll(".item:not([hidden])").length');

  it.each(Object.keys(pages) as Name[])('loads nothing and says nothing wrong: %s', async (name) => {
    const { page, wrong } = await open(name);
    expect(wrong).toEqual([]);
    expect(await page.evaluate('[window.broken, document.querySelectorAll("script, img, iframe").length]')).toEqual([
      undefined,
      1,
    ]);
    // Nothing is wider than the screen, whatever a name is like.
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1200);
  });

  it.each(somePages)('fits a phone: %s', async (name) => {
    const { page } = await open(name, { viewport: { width: 390, height: 800 } });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const cut = `[...document.querySelectorAll('.wide')].filter((one) => one.scrollWidth > one.clientWidth).length`;
    expect(await page.evaluate(cut), 'tables of which a column is cut off').toBe(0);
  });

  it.each(
    somePages
      .filter((name) => !['big', 'allAccounts'].includes(name))
      .flatMap((name) => [[name, 'light'] as const, ...(isWhole || name === 'plan' ? [[name, 'dark'] as const] : [])]),
  )('axe finds nothing to complain about: %s, %s', async (name, colorScheme) => {
    const { page } = await open(name, { colorScheme });
    await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
    // The page's own policy lets no other script in, so this one comes by the debugger.
    await page.evaluate(axe.source);
    const found = await page.evaluate<readonly string[]>(
      `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
          violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).slice(0, 3).join(' | ')))`,
    );
    expect(found).toEqual([]);
  });

  it('filters by what is typed, by the chips, and shows all again', async () => {
    const { page } = await open('plan');
    const all = await shown(page);
    const field = page.getByRole('searchbox');
    await page.keyboard.press('/');
    await page.keyboard.type('old-bakery sitedomain');
    expect(await shown(page)).toBe(2);
    expect(await page.getByRole('status').textContent()).toBe(`2 of ${all} entries`);
    await field.fill('sites/bakery.yaml:31');
    expect(await shown(page)).toBe(1);
    await field.fill('nothing has this');
    expect(await shown(page)).toBe(0);
    expect(await page.evaluate('document.querySelectorAll("section.group:not([hidden])").length')).toBe(0);
    await page.keyboard.press('Escape');
    expect(await shown(page)).toBe(all);
    await page.getByRole('button', { name: 'Delete' }).click();
    expect(await shown(page)).toBe(2);
    await page.getByRole('button', { name: 'Delete' }).click();
    expect(await shown(page)).toBe(all);
  });

  it('shows the accounts of one state, leads from a wait to its account, and has 500 of them in less than 1 MB', async () => {
    expect(Buffer.byteLength(pages.allAccounts())).toBeLessThan(1_000_000);
    const { page } = await open('allAccounts');
    await page.getByRole('button', { name: 'Locked' }).click();
    expect(await shown(page)).toBe(10);
    await page.getByRole('button', { name: 'Locked' }).click();
    await page.locator('#people').getByRole('link', { name: 'acc-00012' }).click();
    await page.locator('#account-acc-00012[open]').waitFor();
    expect(await page.locator('#account-acc-00012').textContent()).toContain('Publish the TXT record');
    expect(await page.locator('#runs a', { hasText: 'pull request 12' }).first().getAttribute('href')).toBe(
      'https://github.com/acme/hosting/pull/12',
    );
  });

  it('is walked through with the keyboard alone', async () => {
    const { page } = await open('plan');
    const wanted = await page.evaluate<number>(
      `[...document.querySelectorAll('a[href], button, input, summary, [tabindex="0"]')].filter((one) => one.checkVisibility()).length`,
    );
    const reached = new Set<string>();
    for (let step = 0; step < wanted; step += 1) {
      await page.keyboard.press('Tab');
      reached.add(
        await page.evaluate<string>(
          `(() => { const all = [...document.querySelectorAll('*')]; const at = document.activeElement; const style = getComputedStyle(at); return at === document.body || style.outlineStyle === 'none' ? '' : String(all.indexOf(at)); })()`,
        ),
      );
    }
    // Each stop is another one, and shows where it is.
    expect(reached.size).toBe(wanted);
    expect(reached.has('')).toBe(false);
    // An action is folded and unfolded by a key.
    await page.evaluate(`document.querySelector('#a3 > summary').focus()`);
    const isOpen = (): Promise<boolean> => page.evaluate<boolean>(`document.querySelector('#a3').open`);
    const before = await isOpen();
    await page.keyboard.press('Enter');
    expect(await isOpen()).toBe(!before);
  });

  it('leads from a number to its action, wherever that is folded away', async () => {
    const { page } = await open('big');
    await page.evaluate(`document.querySelector('#risks summary').click()`);
    await page.locator('#risks details').first().locator('a').last().click();
    await page.locator('#a2000[open]').waitFor();
    expect(await page.evaluate('location.hash')).toBe('#a2000');
  });

  it('is whole without a script', async () => {
    const { page } = await open('plan', { javaScriptEnabled: false });
    expect(await page.getByRole('searchbox').isVisible()).toBe(false);
    for (const section of await page.locator('main > section').all()) expect(await section.isVisible()).toBe(true);
    await page.locator('#a3 > summary').click();
    expect(await page.locator('#a3 table').isVisible()).toBe(false);
  });

  it('prints whole', async () => {
    const { page } = await open('many');
    const [few, whole] = [(await (await open('plan')).page.pdf()).length, (await page.pdf()).length];
    expect(few).toBeGreaterThan(20_000);
    expect(whole).toBeGreaterThan(few);
    // What is folded away on the screen is not on paper, and is again afterwards.
    await page.evaluate('window.dispatchEvent(new Event("beforeprint"))');
    expect(await page.locator('#a120 table').isVisible()).toBe(true);
    await page.evaluate('window.dispatchEvent(new Event("afterprint"))');
    expect(await page.locator('#a120 table').isVisible()).toBe(false);
  });
});
