import { usageApi } from '@headgate/contract';
import { expect, it } from 'vitest';
import { useTestApp } from '../../testing/test-app.ts';
import { nonRequestValues } from '../logs/log-values.ts';
import { rollUpAll } from '../logs/rollup-repository.ts';

const app = await useTestApp();

const hour = 1_795_050_000 - (1_795_050_000 % 3600);

/** Logs of requests with these durations in milliseconds. */
async function log(model_name: string, channel: number, durations: readonly number[], fields: object = {}) {
  const values = durations.map((elapsed_time) => ({
    ...nonRequestValues,
    ...{ user_id: 1, username: 'root', token_name: '', model_name, channel, group: 'default', type: 2, content: '' },
    ...{ created_at: hour, quota: 100, cost: 40, prompt_tokens: 10, completion_tokens: 5, request_id: '', detail: '' },
    ...{
      elapsed_time,
      first_byte_time: Math.ceil(elapsed_time / 2),
      is_stream: 1,
      system_prompt_reset: 0,
      ended_by: '' as const,
    },
    ...fields,
  }));
  await app.database.insertInto('logs').values(values).execute();
}

it('compares models and channels before and after the rollup', async () => {
  const admin = await app.as('admin');
  await log('a', 1, [100, 100, 100, 100]);
  await log('a', 2, [1000, 1000]);
  await log('b', 2, [4000, 4000]);
  await log('b', 2, [1], { type: 5, quota: 0, cost: 0, completion_tokens: 0 });
  const compare = (query: object) =>
    admin.call(usageApi.compare, { query: { start_timestamp: hour, end_timestamp: hour + 3599, ...query } });
  const check = async () => {
    const models = await compare({ model: 'a', other_model: 'b' });
    expect(models.first).toMatchObject({ requests: 6, failures: 0, quota: 600, cost: 240, completion_tokens: 30 });
    expect(models.second).toMatchObject({ requests: 3, failures: 1, quota: 200, cost: 80, completion_tokens: 10 });
    expect(models.first.elapsed.p50).toBeGreaterThan(80);
    expect(models.first.elapsed.p50).toBeLessThan(125);
    expect(models.first.elapsed.p95).toBeGreaterThan(800);
    expect(models.second.first_byte.p50).toBeGreaterThan(1600);
    const channels = await compare({ model: 'a', channel: 1, other_model: 'a', other_channel: 2 });
    expect([channels.first.requests, channels.second.requests]).toEqual([4, 2]);
    expect(channels.first.elapsed.p95).toBeLessThan(125);
    expect(channels.second.elapsed.p50).toBeGreaterThan(800);
  };
  await check();
  await rollUpAll(app.database);
  await check();
});

it('returns zeros and no latencies without requests', async () => {
  const admin = await app.as('admin');
  const none = { p50: null, p95: null, p99: null };
  const { first } = await admin.call(usageApi.compare, { query: { model: 'never-used' } });
  expect(first).toMatchObject({ requests: 0, cost: 0, elapsed: none, first_byte: none });
});
