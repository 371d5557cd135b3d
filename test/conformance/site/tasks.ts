// Conformance of the tasks: fields, filters, the limit of the list, reports.
import assert from 'node:assert/strict';
import { BACK_END_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import { EPOCH_MS } from '../../../src/sandbox/core/clock.ts';
import { addTask } from '../../../src/sandbox/core/state.ts';
import { keysOf } from '../context.ts';
import type { Client, ConformanceCase } from '../context.ts';

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

export const taskCases: readonly ConformanceCase[] = [
  {
    rule: 'TSK-01',
    title: 'a task has its ten fields and says who started it',
    async run(context) {
      const client = await context.start();
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
  },
  {
    rule: 'TSK-02',
    title: 'a task waits, runs and is OK as time passes',
    async run(context) {
      const client = await context.start();
      const path = `/api/tasks/${await restarted(client)}`;
      assert.equal((await client.get(path)).at('status'), 'PENDING');
      client.sandbox.clock.advance(2_000);
      assert.equal((await client.get(path)).at('status'), 'RUNNING');
      client.sandbox.clock.advance(10_000);
      assert.equal((await client.get(path)).at('status'), 'OK');
    },
  },
  {
    rule: 'TSK-03',
    title: 'a task that has ended may have no end_on',
    async run(context) {
      const client = await context.start();
      const task = await client.get('/api/tasks/501');
      assert.deepEqual([task.at('status'), task.at('end_on')], ['OK', null]);
    },
  },
  {
    rule: 'TSK-05',
    title: 'the list is an array without pages',
    async run(context) {
      const client = await context.start();
      manyTasks(client, 60);
      assert.equal((await client.get('/api/sites/site-blog/tasks?page=2&per_page=10')).column(null, 'id').length, 60);
    },
  },
  {
    rule: 'TSK-06',
    title: 'filters take a status or TODAY',
    async run(context) {
      const client = await context.start();
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
      assert.equal((await client.get('/api/sites/site-shop/tasks/LATER/filter')).status, 422);
    },
  },
  {
    rule: 'TSK-07',
    title: "a task is read by id, also when its site's list no longer shows it",
    async run(context) {
      const client = await context.start();
      manyTasks(client, 101);
      assert.equal((await client.get('/api/tasks/2001', { account: null })).at('id'), 2001);
      assert.equal((await client.get('/api/tasks/999999')).status, 404);
    },
  },
  {
    rule: 'TSK-08',
    title: 'a report ends a task and appends its data; an unknown task is 200 too',
    async run(context) {
      const client = await context.start();
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
      assert.equal((await client.call('POST', '/api/webhooks/task/999999', { success: true }, asBackEnd)).status, 200);
      assert.equal((await client.call('POST', '/api/webhooks/task/2001', { success: true })).status, 401);
    },
  },
  {
    rule: 'TSK-08/once',
    title: 'the same report again does nothing',
    async run(context) {
      const client = await context.start();
      manyTasks(client, 1);
      for (let time = 0; time < 2; time += 1)
        await client.call('POST', '/api/webhooks/task/2001', { success: true, data: 'x' }, asBackEnd);
      assert.equal((await client.get('/api/tasks/2001')).at('data'), 'x');
    },
  },
  {
    rule: 'LIM-02',
    title: 'the list has the 100 most recent',
    async run(context) {
      const client = await context.start();
      manyTasks(client, 103);
      const ids = (await client.get('/api/sites/site-blog/tasks')).column(null, 'id') as number[];
      assert.deepEqual([ids.length, Math.min(...ids)], [100, 2004]);
    },
  },
];
