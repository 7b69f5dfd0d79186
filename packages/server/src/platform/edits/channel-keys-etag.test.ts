import { channelApi, channelKeyApi, type Endpoint } from '@headgate/contract';
import { expect, test } from 'vitest';
import { editSamples, etagOf } from '../../testing/accounts/edit-samples.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { makeChannel } = await editSamples(app);

async function channelWithKeys(keys: string) {
  const { client, id } = await makeChannel();
  await client.call(channelKeyApi.add, { params: { id }, body: { keys, replace: true } });
  const etag = async (row: Endpoint) => etagOf(await client.send(row, { params: { id } }));
  const send = (row: Endpoint, body: object, ifMatch?: string) =>
    client.send(row, {
      params: { id },
      body: row === channelApi.update ? { id, ...body } : body,
      ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
    });
  const list = () => client.call(channelKeyApi.list, { params: { id } });
  return { client, id, etag, send, list };
}

test('[A56.4] rejects a channel update based on an older read if a key has been added since', async () => {
  const { etag, send, list } = await channelWithKeys('sk-first-key\nsk-second-key');
  const read = await etag(channelApi.get);
  // The same number of keys as before, and the same first key.
  await send(channelKeyApi.add, { keys: 'sk-first-key\nsk-other-key', replace: true });
  expect(await etag(channelApi.get)).not.toBe(read);
  expect((await send(channelApi.update, { key: 'sk-the-only-key' }, read)).status).toBe(412);
  expect(await list()).toHaveLength(2);
});

test('[A56.4] rejects a key change based on an older read and accepts one based on the current state', async () => {
  const { etag, send, list } = await channelWithKeys('sk-first-key\nsk-second-key\nsk-third-key');
  const [one, two, three] = (await list()).map(({ id }) => id);
  const changes: readonly (readonly [Endpoint, object])[] = [
    [channelKeyApi.update, { ids: [one], weight: 5 }],
    [channelKeyApi.update, { ids: [two], status: 2 }],
    [channelKeyApi.add, { keys: 'sk-fourth-key' }],
    [channelKeyApi.remove, { ids: [three] }],
  ];
  for (const [row, body] of changes) {
    const before = await etag(channelKeyApi.list);
    const after = etagOf(await send(row, body, before));
    expect(after).not.toBe(before);
    expect(await etag(channelKeyApi.list)).toBe(after);
    const stored = await list();
    for (const [other, otherBody] of changes)
      expect((await send(other, otherBody, before)).body).toMatchObject({ success: false });
    expect((await send(channelKeyApi.update, { ids: [one], weight: 9 }, before)).status).toBe(412);
    expect(await list()).toEqual(stored);
  }
});

test('[A56.4] rejects one of two concurrent changes based on the same read', async () => {
  const { etag, send } = await channelWithKeys('sk-first-key\nsk-second-key');
  const read = await etag(channelKeyApi.list);
  const responses = await Promise.all(
    ['sk-of-one-admin', 'sk-of-another'].map((keys) => send(channelKeyApi.add, { keys }, read)),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 412]);
});

test('the ETag does not change when requests use a key', async () => {
  const { id, etag } = await channelWithKeys('sk-first-key\nsk-second-key');
  const read = [await etag(channelApi.get), await etag(channelKeyApi.list)];
  const used = { request_count: 9, failure_count: 2, used_time: 5, test_time: 5 };
  await app.database.updateTable('channel_keys').set(used).where('channel_id', '=', id).execute();
  expect([await etag(channelApi.get), await etag(channelKeyApi.list)]).toEqual(read);
});
