// Run requests for workflows and pipelines: what is sent, once, and what a refusal says. The token is never in it.
import { afterEach, describe, expect, it } from 'vitest';
import type { RunRequest } from '../../src/events/run-request.ts';
import { githubDispatcher } from '../../src/forge/client.ts';
import { gitlabDispatcher } from '../../src/forge/gitlab.ts';
import { openServer } from '../support/servers/plain.ts';

interface Asked {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

const asked: Asked[] = [];
let answer: { status: number; body: unknown } = { status: 204, body: null };
afterEach(() => void asked.splice(0));

async function startForge(): Promise<string> {
  const { url } = await openServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method, url: path, headers } = request;
      const body: unknown = JSON.parse(Buffer.concat(parts).toString());
      asked.push({ method, path, authorization: headers.authorization, body });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(answer.body === null ? undefined : JSON.stringify(answer.body));
    });
  });
  return url;
}

const request: RunRequest = { account: 'acc-acme', run: 'drift', root: 'Site/shop', notify: true, why: 'a $(test)' };
const TOKEN = 'secret-token';

async function github() {
  const at = { owner: 'acme', repo: 'hosting' };
  return githubDispatcher({
    ...at,
    apiUrl: await startForge(),
    token: TOKEN,
    version: '1.0.0',
    pacing: { enabled: false },
  });
}

async function gitlab() {
  const apiUrl = `${await startForge()}/api/v4`;
  return gitlabDispatcher({ apiUrl, token: TOKEN, project: 'acme/hosting', ref: 'main', version: '1.0.0' });
}

describe('GitHub', () => {
  it('is sent one event with the request', async () => {
    answer = { status: 204, body: null };
    await (await github()).dispatch(request);
    expect(asked).toEqual([
      {
        method: 'POST',
        path: '/repos/acme/hosting/dispatches',
        authorization: `token ${TOKEN}`,
        body: { event_type: 'hostwright', client_payload: request },
      },
    ]);
  });

  it.each([404, 422, 500, 503])('is asked once, and its refusal %i is told', async (status) => {
    answer = { status, body: { message: 'No such thing' } };
    await expect((await github()).dispatch(request)).rejects.toThrow(`No such thing (${status})`);
    expect(asked).toHaveLength(1);
  });
});

describe('GitLab', () => {
  it('is sent one pipeline with the request as inputs, without a character that a shell or a runner expands', async () => {
    answer = { status: 201, body: { id: 1 } };
    await (await gitlab()).dispatch(request);
    expect(asked).toEqual([
      {
        method: 'POST',
        path: '/api/v4/projects/acme%2Fhosting/trigger/pipeline',
        authorization: undefined,
        body: {
          token: TOKEN,
          ref: 'main',
          inputs: {
            hostwright_run: 'drift',
            hostwright_account: 'acc-acme',
            hostwright_notify: 'true',
            hostwright_why: 'a ??test?',
          },
        },
      },
    ]);
  });

  it.each([400, 404, 500])('is asked once, and its refusal %i is told', async (status) => {
    answer = { status, body: { message: { base: ['Reference not found'] } } };
    const error = await (await gitlab()).dispatch(request).catch((thrown: unknown) => thrown as Error);
    expect(String(error)).toContain(`Reference not found`);
    expect(String(error)).not.toContain(TOKEN);
    expect(asked).toHaveLength(1);
  });
});
