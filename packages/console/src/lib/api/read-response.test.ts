import { channelApi, logApi, modelApi, sessionApi, tokenApi, userApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readResponse } from './read-response.ts';

test('[S1.23] accepts absent or null fields that no screen needs', () => {
  const row = { id: 1, username: 'wei', role: 1, status: 1, email: null };
  expect(readResponse(userApi.get.reply, row)?.data).toMatchObject({ ...row, email: '', github_id: '', quota: 0 });
  expect(readResponse(sessionApi.login.reply, { role: 100 })?.data).toMatchObject({ role: 100, username: '' });
});

test('[S1.23] drops null rows, and reads null as an empty list', () => {
  expect(readResponse(tokenApi.list.reply, null)?.data).toEqual([]);
  expect(readResponse(channelApi.list.reply, [null, { id: 4 }])?.data).toMatchObject([
    { id: 4, models: '', priority: 0 },
  ]);
  expect(readResponse(channelApi.models.reply, [{ id: 'gpt-4o' }])?.data).toMatchObject([{ id: 'gpt-4o' }]);
});

test('[S1.23 S7.4] drops types without a model list', () => {
  expect(readResponse(modelApi.byType.reply, { 1: ['a'], 2: null, 3: 'b' })?.data).toEqual({ 1: ['a'] });
});

test('[S1.23] replaces an unknown value with the default', () => {
  expect(readResponse(logApi.list.reply, [{ id: 1, ended_by: 'the moon', elapsed_time: null }])?.data).toMatchObject([
    { ended_by: '', elapsed_time: 0 },
  ]);
});

test('accepts any data for a change without response data', () => {
  for (const data of [null, undefined, { id: 1 }])
    expect(readResponse(userApi.update.reply, data)).toEqual({ data: undefined });
});

test.for([
  [tokenApi.list.reply, undefined],
  [tokenApi.list.reply, {}],
  [tokenApi.get.reply, null],
  [tokenApi.get.reply, []],
  [tokenApi.get.reply, { id: 'one' }],
  [userApi.makeAccessToken.reply, null],
] as const)('rejects data of a different shape: case %#', ([schema, data]) => {
  expect(readResponse(schema as z.ZodMiniType, data)).toBeUndefined();
});

test('drops null in a list, unless the schema gives it a meaning', () => {
  const rows = z.object({ plain: z.array(z.number()), steps: z.array(z.nullable(z.number())) });
  expect(readResponse(rows, { plain: [1, null, 2], steps: [1, null, 2] })?.data).toEqual({
    plain: [1, 2],
    steps: [1, null, 2],
  });
});
