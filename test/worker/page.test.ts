// The page of operators as a worker serves it: what it answers, and how it renews itself in a real Chromium.
import { request } from 'node:http';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AccountReport, FleetReport } from '../../src/model/plan/fleet-report.ts';
import { reportOf } from '../../src/usecases/fleet/report.ts';
import type { Endpoints } from '../../src/worker/endpoints.ts';
import { serveEndpoints } from '../../src/worker/endpoints.ts';
import { operatorsPage } from '../../src/worker/page.ts';
import { accountsAtMs, hostileAccounts, manyAccounts } from '../report/html/accounts-samples.ts';
import { EVIL } from '../report/html/html-samples.ts';
import { executablePath, FLAGS } from '../support/browser.ts';

/** What the worker knows, and how it is told that it changed. */
interface Told {
  report: FleetReport;
  version: number;
  isAway: boolean;
  reads: number;
  look: () => void;
}

let told: Told;
let worker: Endpoints;
beforeEach(async () => {
  told = { report: manyAccounts(60), version: 1, isAway: false, reads: 0, look: () => undefined };
  worker = await serveEndpoints(
    { host: '127.0.0.1', port: 0 },
    {
      unhealthy: () => Promise.resolve(undefined),
      metrics: () => Promise.resolve(''),
      page: operatorsPage({
        report: () => {
          told.reads += 1;
          return Promise.resolve(told.report);
        },
        version: () => (told.isAway ? Promise.reject(new Error('away')) : Promise.resolve(String(told.version))),
        sleep: () =>
          new Promise((resolve) => {
            told.look = resolve;
          }),
        nowMs: () => accountsAtMs,
      }),
    },
  );
});
afterEach(() => worker.close());

function change(account: string, more: Partial<AccountReport>): void {
  const accounts = told.report.accounts.map((one) => (one.account === account ? { ...one, ...more } : one));
  told.report = reportOf(accounts, accountsAtMs, 'done');
  told.version += 1;
  told.look();
}

describe('what a worker answers', () => {
  it('is a page with a policy, an account by its address, and the same as JSON; made once while nothing changes', async () => {
    const page = await fetch(`${worker.url}/`);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'sha256-[^;]+'; style-src 'sha256-[^;]+'; connect-src 'self'; .*frame-ancestors 'none'$/,
    );
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const tag = page.headers.get('etag') as string;
    expect((await fetch(`${worker.url}/`, { headers: { 'if-none-match': tag } })).status).toBe(304);
    expect(told.reads).toBe(1);
    const account = await fetch(`${worker.url}/accounts/acc-00012`);
    expect(await account.text()).toContain('Publish the TXT record');
    expect((await fetch(`${worker.url}/accounts/nobody`)).status).toBe(404);
    expect(await (await fetch(`${worker.url}/report.json`)).json()).toEqual(told.report);
    expect((await fetch(`${worker.url}/`, { method: 'POST' })).status).toBe(405);
    told.isAway = true;
    expect((await fetch(`${worker.url}/`)).status).toBe(503);
  });

  it('is nothing where another name was asked for: a page elsewhere cannot have its own name point here', async () => {
    const statusFor = (host: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        request(worker.url, { headers: { host } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
    expect(await statusFor('evil.example')).toBe(421);
    expect(await statusFor('localhost.evil.example')).toBe(421);
    expect(await statusFor('localhost:9090')).toBe(200);
  });

  it('leads to each account, whatever it is called', async () => {
    told.report = hostileAccounts([...EVIL, '..', '.', 'a/b?c#d']);
    const page = (await (await fetch(`${worker.url}/`)).text()).replaceAll('&#39;', "'");
    const links = [...page.matchAll(/href="(accounts\/[^"]*)"/g)].map(([, path = '']) => path);
    expect(links).toHaveLength(told.report.accounts.length);
    for (const link of links) expect((await fetch(new URL(link, `${worker.url}/`))).status).toBe(200);
  });
});

if (executablePath === undefined)
  process.stderr.write('test/worker/page.test.ts is skipped in part: no chromium on the path, and no CHROME_PATH.\n');

describe.skipIf(executablePath === undefined)('the page of a worker in Chromium', () => {
  let browser: Browser;
  let page: Page;
  const wrong: string[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath as string, args: FLAGS });
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 420, height: 900 }, colorScheme: 'dark' });
    wrong.length = 0;
    page.on('console', (message) => wrong.push(message.text()));
    page.on('pageerror', ({ message }) => wrong.push(message));
    page.on('request', (one) => {
      if (!one.url().startsWith(worker.url)) wrong.push(one.url());
    });
  });
  afterEach(() => page.close());

  const openPage = async (path = '/'): Promise<void> => {
    await page.goto(`${worker.url}${path}`);
    await page.locator('.live', { hasText: /^Live$/ }).waitFor();
  };

  it('shows what changed without being loaded again: what is open stays open, what is searched for is searched for', async () => {
    await openPage();
    const shown = (): Promise<number> =>
      page.evaluate<number>('document.querySelectorAll(".item:not([hidden])").length');
    await page.locator('#account-acc-00012 summary').first().click();
    await page.evaluate('window.isSame = true');
    await page.getByRole('searchbox').fill('acc-00012 waiting');
    const before = await shown();
    change('acc-00012', { state: 'in-order', waits: [], problems: [{ says: 'something new' }] });
    await page.locator('#account-acc-00012', { hasText: 'something new' }).waitFor({ state: 'attached' });
    expect(await page.evaluate('window.isSame')).toBe(true);
    expect(await page.locator('#account-acc-00012').getAttribute('open')).toBe('');
    expect(await page.getByRole('searchbox').inputValue()).toBe('acc-00012 waiting');
    expect(await shown()).toBeLessThan(before);
    await page.getByRole('searchbox').press('Escape');
    expect(await page.locator('header .lead').textContent()).toContain('53 in order');
    expect(wrong).toEqual([]);
  });

  it('keeps the keyboard where it was, and an account has its page', async () => {
    await openPage();
    await page.evaluate(`document.querySelector('#account-acc-00020 summary').focus()`);
    change('acc-00020', { problems: [{ says: 'something new' }] });
    await page.locator('#account-acc-00020', { hasText: 'something new' }).waitFor({ state: 'attached' });
    expect(await page.evaluate(`document.activeElement.closest('[id]').id`)).toBe('account-acc-00020');
    await page.keyboard.press('Enter');
    await page.locator('#account-acc-00020').getByRole('link', { name: 'All of this account' }).click();
    await page.locator('.live', { hasText: /^Live$/ }).waitFor();
    expect(page.url()).toBe(`${worker.url}/accounts/acc-00020`);
    change('acc-00020', { problems: [{ says: 'still newer' }] });
    await page.locator('#problems', { hasText: 'still newer' }).waitFor();
    await page.getByRole('link', { name: 'All accounts' }).click();
    expect(page.url()).toBe(`${worker.url}/`);
    expect(wrong).toEqual([]);
  });

  it('filters by a state that no account had when it was opened', async () => {
    told.report = reportOf(manyAccounts(1).accounts, accountsAtMs, 'done');
    await openPage();
    change('acc-00001', { state: 'failed', problems: [{ says: 'something new' }] });
    await page.locator('#account-acc-00001', { hasText: 'something new' }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Failed' }).click();
    expect(await page.locator('#account-acc-00001').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Failed' }).click();
    await page.getByRole('button', { name: 'Locked' }).click();
    expect(await page.locator('#account-acc-00001').isVisible()).toBe(false);
  });

  it('says so while the database is away', async () => {
    await openPage();
    told.isAway = true;
    told.look();
    await page.locator('.live.lost', { hasText: 'the database does not answer' }).waitFor();
    told.isAway = false;
    told.look();
    await page.locator('.live:not(.lost)', { hasText: /^Live$/ }).waitFor();
  });

  it.each(['/', '/accounts/acc-00020', 'hostile'])(
    'axe finds nothing to complain about, and nothing is too wide: %s',
    async (path) => {
      if (path === 'hostile') told.report = hostileAccounts(EVIL);
      await openPage(path === 'hostile' ? '/' : path);
      await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
      expect(await page.evaluate('[document.documentElement.scrollWidth, window.broken]')).toEqual([420, undefined]);
      await page.evaluate(axe.source);
      const found = await page.evaluate<readonly string[]>(
        `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
          violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).slice(0, 3).join(' | ')))`,
      );
      expect(found).toEqual([]);
      expect(wrong).toEqual([]);
    },
  );
});
