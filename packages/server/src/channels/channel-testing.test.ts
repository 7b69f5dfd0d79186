import { channelApi, channelType, channelTypes } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { createChannel, storedChannel } from '../testing/channel-fixtures.ts';
import { useTestApp } from '../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');

const notYet = { success: false, message: 'This release cannot test channels yet' };
const notFound = { success: false, message: 'Not found' };

describe('testing', () => {
  test('all channels says that it cannot yet', async () => {
    for (const scope of ['all', 'disabled', undefined]) {
      const { status, body } = await admin.send(channelApi.testAll, { query: { scope } });
      expect(status).toBe(200);
      expect(body).toEqual(notYet);
    }
    expect((await admin.send(channelApi.testAll, { query: { scope: 'some' } })).status).toBe(400);
  });

  test('one channel says so too, once it is found', async () => {
    const before = await createChannel(app, admin);
    const params = { id: before.id };
    expect((await admin.send(channelApi.test, { params, query: { model: 'gpt-4o' } })).body).toEqual(notYet);
    expect((await admin.send(channelApi.test, { params })).body).toEqual(notYet);
    expect(await storedChannel(app, before.id)).toEqual(before);
    expect((await admin.send(channelApi.test, { params: { id: 999_999 } })).body).toEqual(notFound);
    const tooLong = await admin.send(channelApi.test, { params, query: { model: 'x'.repeat(301) } });
    expect(tooLong.status).toBe(400);
  });

  test('is told in Chinese', async () => {
    const { body } = await admin.send(channelApi.testAll, { headers: { 'accept-language': 'zh' } });
    expect(body).toEqual({ success: false, message: '当前版本尚不支持渠道测试' });
  });
});

describe('the balance', () => {
  const ask = async (type: number) => {
    const { id } = await createChannel(app, admin, {
      ...{ type, base_url: 'https://example.com', other: 'x', config: '{"user_id":"x"}' },
    });
    return (await admin.send(channelApi.updateBalance, { params: { id } })).body;
  };

  test('of a type that tells none is refused for good', async () => {
    const unsupported = { success: false, message: 'The balance of this channel type cannot be read' };
    expect(await ask(999)).toEqual(unsupported);
    for (const { id } of channelTypes.filter((type) => !('balance' in type))) {
      expect(await ask(id), String(id)).toEqual(unsupported);
    }
  });

  test('of the others cannot be read yet', async () => {
    for (const { id } of channelTypes.filter(({ id }) => channelType(id)?.balance !== undefined)) {
      expect(await ask(id)).toEqual({ success: false, message: 'This release cannot read balances yet' });
    }
  });

  test('of a channel that does not exist is not found', async () => {
    const { body } = await admin.send(channelApi.updateBalance, { params: { id: 999_999 } });
    expect(body).toEqual(notFound);
  });
});

test('calls from another site are refused', async () => {
  const { id } = await createChannel(app, admin);
  for (const row of [channelApi.testAll, channelApi.test, channelApi.updateBalance]) {
    const { status } = await admin.send(row, { params: { id }, headers: { 'sec-fetch-site': 'cross-site' } });
    expect(status).toBe(403);
  }
});
