// An outage of the platform, and a pause that it asks for, as each command meets them.
import { describe, expect, it } from 'vitest';
import type { Transport } from '../../../src/platform/transport.ts';
import { undiciTransport } from '../../../src/platform/undici-transport.ts';
import { renderDiagnosticsJson } from '../../../src/report/json/index.ts';
import { stepsAfter } from '../../../src/report/view/next-steps.ts';
import { planWorkspace } from '../../../src/usecases/plan/plan.ts';
import { manifest } from '../../support/manifests.ts';
import { openHarness } from '../../support/open-harness.ts';
import { outcomeHtml, outcomeMarkdown, outcomeText } from '../../support/reports.ts';

const SITES = 60;

function sites(ttl: number): string {
  return Array.from({ length: SITES }, (_, index) => {
    const name = `s${String(index + 1).padStart(5, '0')}`;
    return manifest('Site', name, { primaryDomain: `${name}.example.com`, caching: { cacheExpiration: ttl } });
  }).join('\n---\n');
}

const account = { scenario: `sites:${SITES}`, files: { 'sites/all.yaml': sites(77) }, inProcess: false };

interface Answer {
  readonly status: number;
  readonly retryAfter?: string;
}

/** A transport to the sandbox that answers as given from the first request on for which `begins` holds. */
function failing(url: string, begins: (method: string, requests: number) => boolean, answer: Answer) {
  const real = undiciTransport(url, 16);
  const sent: string[] = [];
  const state = { isDown: false, requests: 0, sent };
  const transport: Transport = async (request) => {
    state.requests += 1;
    state.isDown ||= begins(request.method, state.requests);
    if (!state.isDown) return real(request);
    sent.push(`${request.method} ${request.path}`);
    const { status, retryAfter } = answer;
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    return { status, headers, body: '{"errors":["down"]}' };
  };
  return { state, transport: Object.assign(transport, { close: real.close }) };
}

describe('an outage', () => {
  it('during an apply prevents further actions and is reported once with counts', async () => {
    const one = await openHarness(account);
    const { state, transport } = failing(one.sandbox.url, (method) => method === 'PATCH', { status: 503 });
    const { outcome } = await one.apply({}, { transport });
    await transport.close?.();
    const counts = (result: string) => outcome.actions.filter((action) => action.result === result).length;
    expect(counts('done')).toBe(0);
    expect(counts('not-started')).toBeGreaterThanOrEqual(SITES - 30);
    expect(counts('failed') + counts('not-started')).toBe(SITES);
    expect(outcome.exitCode).toBe(1);
    // Only actions that had begun were repeated.
    expect(new Set(state.sent.filter((request) => request.startsWith('PATCH'))).size).toBeLessThanOrEqual(30);
    const codes = outcome.diagnostics
      .map(({ code }) => code)
      .filter((code) => code.startsWith('HW3') || code.startsWith('HW4'));
    expect(codes.filter((code) => code === 'HW3051')).toHaveLength(1);
    expect(codes.length).toBeLessThanOrEqual(2);
    expect(outcome.diagnostics.find(({ code }) => code === 'HW3051')?.detail).toMatch(
      /^\d+ different requests in a row have failed since \S+Z: the platform answered 503 \(down\)\. \d+ actions not started\. Run the command again/,
    );
    // Every form names the cause in a few lines.
    for (const text of [outcomeText(outcome), outcomeMarkdown(outcome), outcomeHtml(outcome)])
      expect(text.split('the platform answered 503').length - 1).toBeLessThanOrEqual(4);
    expect(outcomeText(outcome).split('\n').length).toBeLessThan(30);
    expect(stepsAfter(outcome).map(({ words }) => words)).toEqual(['when the platform responds again']);
    // What was not started is done by the next run.
    expect((await one.apply()).outcome.outcome).toBe('done');
  });

  it.each(['plan', 'drift', 'apply'] as const)('before the first change ends %s with one error', async (command) => {
    const one = await openHarness(account);
    const { state, transport } = failing(one.sandbox.url, (_method, requests) => requests > 5, { status: 502 });
    const { diagnostics } =
      command === 'apply'
        ? (await one.apply({}, { transport })).outcome
        : await planWorkspace(one.session({ transport }), { ...(command === 'drift' && { isDrift: true }) } as never);
    await transport.close?.();
    expect(diagnostics.filter(({ severity }) => severity !== 'info').map(({ code }) => code)).toEqual(['HW3051']);
    expect(new Set(state.sent).size).toBeLessThanOrEqual(20);
    expect(JSON.parse(renderDiagnosticsJson(diagnostics, 'error'))).toMatchObject({ exitCode: 1 });
  });
});

describe('Retry-After that is longer than a command waits', () => {
  it.each(['plan', 'apply'] as const)('ends %s with the time in message, JSON and next step', async (command) => {
    const one = await openHarness(account);
    const { state, transport } = failing(one.sandbox.url, (_method, requests) => requests > 5, {
      status: 429,
      retryAfter: '3600',
    });
    const startedAtMs = one.sandbox.clock.now();
    const { diagnostics } =
      command === 'apply'
        ? (await one.apply({}, { transport })).outcome
        : await planWorkspace(one.session({ transport }));
    await transport.close?.();
    const paused = diagnostics.filter(({ code }) => code === 'HW3052');
    expect(paused).toHaveLength(1);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    const retryAt = paused[0]?.retryAt ?? '';
    expect(Date.parse(retryAt) - startedAtMs).toBeGreaterThanOrEqual(3_600_000);
    expect(paused[0]?.detail).toContain(retryAt);
    expect(state.sent.length).toBeLessThanOrEqual(16);
    const steps = stepsAfter({ outcome: 'waiting', actions: [], remaining: [], diagnostics });
    expect(steps[0]?.words).toBe(`from ${retryAt} on`);
    expect(renderDiagnosticsJson(diagnostics, 'waiting')).toContain(`"retryAt": "${retryAt}"`);
  });

  it('during an apply leaves what was not started to the next run', async () => {
    const one = await openHarness(account);
    const { state, transport } = failing(one.sandbox.url, (method) => method === 'PATCH', {
      status: 429,
      retryAfter: '3600',
    });
    const { outcome } = await one.apply({}, { transport });
    await transport.close?.();
    expect(outcome).toMatchObject({ outcome: 'waiting', exitCode: 3 });
    expect(outcome.diagnostics.map(({ code }) => code)).toContain('HW3052');
    // Requests that were in flight together are answered together; none is repeated.
    expect(new Set(state.sent).size).toBe(state.sent.length);
    expect(outcome.actions.filter(({ result }) => result === 'done')).toEqual([]);
  });
});
