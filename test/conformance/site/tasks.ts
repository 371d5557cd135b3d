// Conformance of the tasks: fields, filters, the limit of the list, reports.
import assert from 'node:assert/strict';
import { BACK_END_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import { EPOCH_MS } from '../../../src/sandbox/core/clock.ts';
import { addTask } from '../../../src/sandbox/core/state.ts';
import { answered, casesIn, keysOf } from '../context.ts';
import type { Client } from '../context.ts';

const asBackEnd = { token: BACK_END_KEY };

function manyTasks(client: Client, count: number): void {
  for (let number = 1; number <= count; number += 1) {
    addTask(client.sandbox.state, {
      id: 2000 + number,
      siteId: 'site-blog',
      name: 'site.backup',
      createdAt: EPOCH_MS + number,
    });
  }
}

async function restarted(client: Client): Promise<number> {
  await client.call('POST', '/api/sites/site-blog');
  return (await client.get('/api/sites/site-blog/tasks')).at(0, 'id') as number;
}

export const taskCases = casesIn('small', {
  'TSK-01: a task has its ten fields and says who started it': async (client) => {
    const task = await client.get(`/api/tasks/${await restarted(client)}`);
    assert.deepEqual(keysOf(task.at()), [
      'created_at',
      'data',
      'end_on',
      'id',
      'labels',
      'name',
      'performed_by',
      'start_on',
      'status',
      'updated_at',
    ]);
    assert.deepEqual(task.at('performed_by'), { id: 'user-ada', name: 'Ada Vries', email: 'ada@acme.example' });
    assert.deepEqual(task.at('labels'), {});
  },
  'TSK-02: a task waits, runs and is OK as time passes': async (client) => {
    const path = `/api/tasks/${await restarted(client)}`;
    assert.equal((await client.get(path)).at('status'), 'PENDING');
    client.sandbox.clock.advance(2_000);
    assert.equal((await client.get(path)).at('status'), 'RUNNING');
    client.sandbox.clock.advance(10_000);
    assert.equal((await client.get(path)).at('status'), 'OK');
  },
  'TSK-03: a task that has ended may have no end_on': async (client) => {
    const task = await client.get('/api/tasks/501');
    assert.deepEqual([task.at('status'), task.at('end_on')], ['OK', null]);
  },
  'TSK-05: the list is an array without pages': async (client) => {
    manyTasks(client, 60);
    assert.equal((await client.get('/api/sites/site-blog/tasks?page=2&per_page=10')).column(null, 'id').length, 60);
  },
  'TSK-06: filters take a status or TODAY': async (client) => {
    client.sandbox.clock.advance(86_400_000);
    addTask(client.sandbox.state, {
      id: 7,
      siteId: 'site-shop',
      name: 'site.backup',
      createdAt: client.sandbox.clock.now(),
      status: 'PAUSED',
    });
    assert.deepEqual((await client.get('/api/sites/site-shop/tasks/PAUSED/filter')).column(null, 'id'), [7]);
    assert.deepEqual((await client.get('/api/sites/site-shop/tasks/OK/filter')).column(null, 'id'), [501]);
    assert.deepEqual((await client.get('/api/sites/site-shop/tasks/TODAY/filter')).column(null, 'id'), [7]);
    answered(await client.get('/api/sites/site-shop/tasks/LATER/filter'), 422);
  },
  "TSK-07: a task is read by id, also when its site's list no longer shows it": async (client) => {
    manyTasks(client, 101);
    assert.equal((await client.get('/api/tasks/2001', { account: null })).at('id'), 2001);
    answered(await client.get('/api/tasks/999999'), 404);
  },
  'TSK-08: a report ends a task and appends its data; an unknown task is 200 too': async (client) => {
    manyTasks(client, 2);
    await client.call('POST', '/api/webhooks/task/2001', { success: true, data: 'well' }, asBackEnd);
    await client.call('POST', '/api/webhooks/task/2002', { success: false, data: { code: 1 } }, asBackEnd);
    const ended = [await client.get('/api/tasks/2001'), await client.get('/api/tasks/2002')];
    assert.deepEqual(
      ended.map((task) => [task.at('status'), task.at('data')]),
      [
        ['OK', 'well'],
        ['FAILED', '{"code":1}'],
      ],
    );
    answered(await client.call('POST', '/api/webhooks/task/999999', { success: true }, asBackEnd), 200);
    answered(await client.call('POST', '/api/webhooks/task/2001', { success: true }), 401);
  },
  'TSK-08/once: the same report again does nothing': async (client) => {
    manyTasks(client, 1);
    for (let time = 0; time < 2; time += 1)
      await client.call('POST', '/api/webhooks/task/2001', { success: true, data: 'x' }, asBackEnd);
    assert.equal((await client.get('/api/tasks/2001')).at('data'), 'x');
  },
  'LIM-02: the list has the 100 most recent': async (client) => {
    manyTasks(client, 103);
    const ids = (await client.get('/api/sites/site-blog/tasks')).column(null, 'id') as number[];
    assert.deepEqual([ids.length, Math.min(...ids)], [100, 2004]);
  },
});
