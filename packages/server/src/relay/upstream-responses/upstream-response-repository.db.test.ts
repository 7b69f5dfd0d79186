import { expect, it } from 'vitest';
import { useTestApp } from '../../testing/test-app.ts';
import { UpstreamResponseRepository, type UpstreamStoredResponse } from './upstream-response-repository.ts';

const app = await useTestApp({ isUntouched: true });
const responses = new UpstreamResponseRepository(app.database);

const response = (user: number, more: Partial<UpstreamStoredResponse> = {}): UpstreamStoredResponse => ({
  ...{ user, id: 'resp_1', channel: 1, key: 0, tokens: 10, attachedTokens: 2, items: ['msg_1'], itemTokens: 7 },
  ...more,
});

const expire = async (user: number) => {
  for (const table of ['kept_responses', 'kept_items'] as const)
    await app.database.updateTable(table).set({ expires_time: 1 }).where('user_id', '=', user).execute();
};

it('finds responses and their items only for their user', async () => {
  await responses.add([response(1, { key: 3 })]);
  expect(await responses.find(1, 'resp_1')).toEqual({
    id: 'resp_1',
    channel: 1,
    key: 3,
    tokens: 10,
    attachedTokens: 2,
  });
  expect(await responses.findItems(1, ['msg_1', 'msg_2'])).toEqual([
    { id: 'msg_1', response: 'resp_1', channel: 1, key: 3, itemTokens: 7 },
  ]);
  expect(await responses.find(2, 'resp_1')).toBeUndefined();
  expect(await responses.findItems(2, ['msg_1'])).toEqual([]);
});

it('finds more items than fit into one statement', async () => {
  const ids = Array.from({ length: 501 }, (_, index) => `msg_${index}`);
  await responses.add([response(3, { items: ids.slice(0, 500) }), response(3, { id: 'resp_2', items: ['msg_500'] })]);
  expect(await responses.findItems(3, ids)).toHaveLength(501);
});

it('does not find removed responses and their items', async () => {
  await responses.add([response(4)]);
  await responses.remove(4, 'resp_1');
  expect(await responses.find(4, 'resp_1')).toBeUndefined();
  expect(await responses.findItems(4, ['msg_1'])).toEqual([]);
});

it('keeps an id with the channel that issued it first, which can update it', async () => {
  await responses.add([response(5), response(5, { channel: 2, tokens: 99, items: ['msg_1', 'msg_2'] })]);
  expect(await responses.find(5, 'resp_1')).toMatchObject({ channel: 1, tokens: 10 });
  expect(await responses.findItems(5, ['msg_1', 'msg_2'])).toMatchObject([{ id: 'msg_1', channel: 1 }]);
  await responses.add([response(5, { tokens: 20 })]);
  expect(await responses.find(5, 'resp_1')).toMatchObject({ channel: 1, tokens: 20 });
});

it('assigns an expired id to the channel that issues it again', async () => {
  await responses.add([response(6)]);
  await expire(6);
  expect(await responses.find(6, 'resp_1')).toBeUndefined();
  expect(await responses.findItems(6, ['msg_1'])).toEqual([]);
  await responses.add([response(6, { channel: 2 })]);
  expect(await responses.find(6, 'resp_1')).toMatchObject({ channel: 2 });
  expect(await responses.findItems(6, ['msg_1'])).toMatchObject([{ channel: 2 }]);
});

it('deletes expired responses and items when responses are added, at most once an hour', async () => {
  await responses.add([response(7)]);
  await expire(7);
  const left = () => app.database.selectFrom('kept_items').select('item_id').where('user_id', '=', 7).execute();
  await responses.add([response(8)]);
  expect(await left()).toHaveLength(1);
  await new UpstreamResponseRepository(app.database).add([response(8)]);
  expect(await left()).toEqual([]);
});
