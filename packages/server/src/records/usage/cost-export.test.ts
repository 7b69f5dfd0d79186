import { usageApi } from '@headgate/contract';
import { createChannel } from '@headgate/testkit';
import { expect, it } from 'vitest';
import { useTestApp } from '../../testing/test-app.ts';
import { nonRequestValues } from '../logs/log-values.ts';
import { rollUpAll } from '../logs/rollup-repository.ts';
import { focusColumns } from './focus-columns.ts';

const app = await useTestApp();

const day = 1_795_046_400;
const secondsPerDay = 86_400;

async function log(fields: object) {
  const values = {
    ...nonRequestValues,
    ...{ user_id: 1, username: 'root', token_name: '', model_name: 'gpt-4o', channel: 0, group: 'default', type: 2 },
    ...{ content: '', created_at: day, quota: 100, cost: 40, prompt_tokens: 10, completion_tokens: 5, request_id: '' },
    ...{ detail: '', elapsed_time: 1, first_byte_time: 1, is_stream: 0, system_prompt_reset: 0, ended_by: '' as const },
    ...fields,
  };
  await app.database.insertInto('logs').values(values).execute();
}

async function download(start_timestamp: number, end_timestamp: number) {
  const admin = await app.as('admin');
  const response = await admin.send(usageApi.exportCosts, { query: { start_timestamp, end_timestamp } });
  const [head = '', ...lines] = response.text.trimEnd().split('\r\n');
  const names = head.split(',');
  const rows = lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, index) => [name, cells[index]]));
  });
  return { response, names, rows };
}

it('[A32.1] exports costs by day, user, model and channel before and after the rollup', async () => {
  const { id, name } = await createChannel(app.url, { type: 14 });
  await log({ channel: id, quota: 999_900, cost: 249_980, prompt_tokens: 20, completion_tokens: 30 });
  await log({ channel: id, cost: 20 });
  await log({ channel: id, model_name: 'o3', quota: 500_000, cost: 0 });
  await log({ created_at: day + secondsPerDay, model_name: '=1+1', type: 5, quota: 0, cost: 0 });
  await log({ created_at: day + 2 * secondsPerDay });
  const check = async () => {
    const { response, names, rows } = await download(day, day + secondsPerDay);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('x-total-count')).toBe('3');
    expect(names).toEqual(Object.keys(focusColumns));
    expect(rows[0]).toMatchObject({
      BilledCost: '0.5',
      ListCost: '2',
      x_ListCostOfUnknownCost: '0',
      BillingAccountName: name,
      ChargePeriodStart: new Date(day * 1000).toISOString().replace('.000', ''),
      ConsumedQuantity: '65',
      ProviderName: 'Anthropic Claude',
      ResourceId: 'gpt-4o',
      SubAccountName: 'root',
      x_Requests: '2',
    });
    expect(rows[1]).toMatchObject({ BilledCost: '0', ListCost: '1', x_ListCostOfUnknownCost: '1', ResourceId: 'o3' });
    expect(rows[2]).toMatchObject({ BilledCost: '0', ResourceId: "'=1+1", ProviderName: 'Unknown', x_Failures: '1' });
  };
  await check();
  await rollUpAll(app.database);
  await check();
});

it('splits the lines by a tag, and keeps the totals', async () => {
  const team = (value: string) => ({ detail: JSON.stringify({ request_tags: { team: value, other: 'x' } }) });
  const tagDay = day + 10 * secondsPerDay;
  await log({ created_at: tagDay, quota: 500_000, cost: 100_000, ...team('ads') });
  await log({ created_at: tagDay, quota: 500_000, cost: 100_000, ...team('search') });
  await log({ created_at: tagDay, quota: 250_000, cost: 50_000, detail: '{"request_tags":{"other":"x"}}' });
  await log({ created_at: tagDay, quota: 250_000, cost: 50_000 });
  await log({ created_at: tagDay, model_name: 'o3', ...team('ads') });
  const check = async () => {
    const admin = await app.as('admin');
    const query = { start_timestamp: tagDay, end_timestamp: tagDay, tag: 'team' };
    const { text } = await admin.send(usageApi.exportCosts, { query });
    const rows = text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => [/"\{""team"":""(\w+)""\}"/.exec(line)?.[1], line.split(',')[0], / to ([\w-]+)/.exec(line)?.[1]]);
    expect(rows).toEqual([
      [undefined, '0.2', 'gpt-4o'],
      ['ads', '0.2', 'gpt-4o'],
      ['search', '0.2', 'gpt-4o'],
      ['ads', '0.00008', 'o3'],
    ]);
  };
  await check();
  await rollUpAll(app.database);
  await check();
});

it.each([
  ['a period of more than 31 days', day, day + 31 * secondsPerDay],
  ['times after the year 9999', 1e13, 1e13],
])('rejects %s', async (_, start, end) => {
  const { response } = await download(start, end);
  expect(response.body).toMatchObject({ success: false, message: expect.stringContaining('timestamp') });
});
