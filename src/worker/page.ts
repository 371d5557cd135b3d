// The page of operators that a worker serves: how all accounts are, a page for each, the same as JSON, and an event when
// something changed. It only shows: whoever may see it is for the proxy in front of it to say.
import type { ServerResponse } from 'node:http';
import type { Exchange } from '../events/http-server.ts';
import type { FleetReport } from '../model/plan/fleet-report.ts';
import { accountPath, accountReport, accountsReport } from '../report/blocks/accounts.ts';
import { policyOf } from '../report/html/page.ts';
import { writeHtml } from '../report/html/write.ts';
import { renderJson } from '../report/json/index.ts';

export interface PageSource {
  readonly report: () => Promise<FleetReport>;
  /** Changes whenever the report does. */
  readonly version: () => Promise<string>;
  /** Resolves after so many milliseconds; rejects when the worker stops. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly nowMs: () => number;
}

export interface OperatorsPage {
  /** Whether it is for this page to answer. */
  readonly has: (path: string) => boolean;
  readonly answer: (exchange: Exchange) => Promise<void>;
}

/** How often it is seen whether something changed, while anybody looks. */
const LOOK_MS = 3000;
/** Each holds a connection. */
const MOST_READERS = 100;
/** A reader that has not taken this many bytes is cut. */
const MOST_UNREAD = 65_536;

const HEADERS = {
  'content-security-policy': `${policyOf(true)}; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-cache',
} as const;

export function operatorsPage(source: PageSource): OperatorsPage {
  const readers = new Set<ServerResponse>();
  const pages = new Map<string, string>();
  let made = '';
  let isLooking = false;
  let told = '';

  const text = async (path: string, version: string): Promise<string | undefined> => {
    if (made !== version) pages.clear();
    made = version;
    const known = pages.get(path);
    if (known !== undefined) return known;
    const report = await source.report();
    const nowMs = source.nowMs();
    const account = report.accounts.find((one) => path === `/${accountPath(one.account)}`);
    const page =
      path === '/'
        ? writeHtml(accountsReport(report, { hasPages: true }), nowMs, './')
        : path === '/report.json'
          ? renderJson(report)
          : account && writeHtml(accountReport(account, '../'), nowMs, '../');
    if (page !== undefined && pages.size < 10) pages.set(path, page);
    return page;
  };

  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    for (let isStopped = false; readers.size > 0 && !isStopped;) {
      const event = await source.version().then(
        (version) => `event: version\ndata: ${version}\n\n`,
        () => 'event: away\ndata: \n\n',
      );
      // Where nothing changed, a comment shows that the connection is there.
      for (const reader of readers) {
        if (reader.writableLength > MOST_UNREAD) reader.destroy();
        else reader.write(event === told ? ': the same\n\n' : event);
      }
      told = event;
      isStopped = await source.sleep(LOOK_MS).then(
        () => false,
        () => true,
      );
      if (isStopped) for (const reader of readers) reader.end();
    }
    isLooking = false;
  };

  const follow = async ({ response, closed }: Exchange): Promise<void> => {
    if (readers.size >= MOST_READERS) return end(response, 503, 'There are too many readers.\n');
    if (closed.aborted) return;
    readers.add(response);
    closed.addEventListener('abort', () => readers.delete(response), { once: true });
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    const version = await source.version().catch(() => undefined);
    response.write(version === undefined ? 'event: away\ndata: \n\n' : `event: version\ndata: ${version}\n\n`);
    void look();
  };

  return {
    has: (path) => ['/', '/events', '/report.json'].includes(path) || path.startsWith('/accounts/'),
    answer: async (exchange) => {
      const { path, request, response } = exchange;
      if (path === '/events') return follow(exchange);
      const version = await source.version();
      const tag = `"${version}"`;
      if (request.headers['if-none-match'] === tag && pages.has(path)) {
        response.writeHead(304, { ...HEADERS, etag: tag });
        response.end();
        return;
      }
      const page = await text(path, version);
      if (page === undefined) return end(response, 404, 'There is no such account.\n');
      const type = path === '/report.json' ? 'application/json' : 'text/html; charset=utf-8';
      response.writeHead(200, { ...HEADERS, etag: tag, 'content-type': type });
      response.end(request.method === 'HEAD' ? undefined : page);
    },
  };
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' });
  response.end(text);
}
