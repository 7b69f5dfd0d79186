import { logType, userApi } from '@headgate/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { writeLogs } from '../../testing/records/sample-logs.ts';
import { useTestApp } from '../../testing/test-app.ts';

const day = 86_400;
/** Last second of 2023-11-15 (UTC). */
const now = 1_700_092_799;
const today = now + 1 - day;

beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: now * 1000 }));
afterAll(() => void vi.useRealTimers());

const app = await useTestApp();

test("the dashboard shows the user's own consumption of seven days, by day and model", async () => {
  const reader = await app.createUser();
  const other = await app.createUser();
  const client = await app.signedIn(reader.username, reader.password);
  expect(await client.call(userApi.dashboard)).toEqual([]);

  const mine = { user_id: reader.id, username: reader.username, quota: 10, prompt_tokens: 3, completion_tokens: 4 };
  await writeLogs(app.database, [
    { ...mine, created_at: now, model_name: 'b' },
    { ...mine, created_at: today, model_name: 'b', token_name: 'another', channel: 2 },
    { ...mine, created_at: today, model_name: 'a' },
    { ...mine, created_at: today, model_name: 'B' },
    { ...mine, created_at: today - 1, model_name: 'b', username: 'as I was called before' },
    { ...mine, created_at: today - 6 * day, model_name: 'b' },
    { ...mine, created_at: today - 6 * day - 1, model_name: 'b' },
    { ...mine, created_at: today, model_name: 'b', type: logType.failure },
    { ...mine, created_at: today, type: logType.topUp },
    { ...mine, created_at: today, model_name: 'b', user_id: other.id },
  ]);
  const once = { RequestCount: 1, Quota: 10, PromptTokens: 3, CompletionTokens: 4 };
  expect((await client.send(userApi.dashboard)).body).toEqual({
    success: true,
    message: '',
    data: [
      { Day: '2023-11-09', ModelName: 'b', ...once },
      { Day: '2023-11-14', ModelName: 'b', ...once },
      { Day: '2023-11-15', ModelName: 'B', ...once },
      { Day: '2023-11-15', ModelName: 'a', ...once },
      { Day: '2023-11-15', ModelName: 'b', RequestCount: 2, Quota: 20, PromptTokens: 6, CompletionTokens: 8 },
    ],
  });
});
