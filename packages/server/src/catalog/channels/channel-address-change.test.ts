import { channelApi, type Input } from '@headgate/contract';
import { chatResponse, reply, StubUpstream } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { createChannel, storedChannel } from '../../testing/catalog/channel-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');
const thief = await StubUpstream.start(reply(chatResponse()));
afterAll(() => thief.close());

const update = (body: Input<typeof channelApi.update>['body']) => admin.send(channelApi.update, { body });
const keyNeeded = {
  success: false,
  message: 'Enter the key again: the stored one is not sent to another address',
};
const openai = { name: 'moving', type: 1, key: 'sk-victim-1234567890', models: 'gpt-4o', base_url: '' };

/** All requests that the attacker's server received. */
const thiefTraffic = () => JSON.stringify(thief.received.map(({ path, headers, text }) => [path, headers, text]));

describe('[A12.6] a stored key is not sent to another address', () => {
  test.each([
    ['another address', {}, () => ({ base_url: thief.url })],
    ['another address with a blank key', {}, () => ({ base_url: thief.url, key: '  ' })],
    ["the provider's default address", { base_url: 'https://mine.example' }, () => ({ base_url: '' })],
    [
      'another path on the same host',
      { base_url: 'https://shared.example/mine' },
      () => ({ base_url: 'https://shared.example/his' }),
    ],
    ['another port', { base_url: 'https://shared.example' }, () => ({ base_url: 'https://shared.example:8443' })],
    ['plain http', { base_url: 'https://shared.example' }, () => ({ base_url: 'http://shared.example' })],
    ['another provider', {}, () => ({ type: 14 })],
    [
      'another provider when neither channel has a base URL',
      { type: 33, key: 'victim-bedrock-key|us-east-1', config: '{"region":"us-east-1","ak":"AK1","sk":"SK1"}' },
      () => ({ type: 42, config: '{"region":"us-east5","vertex_ai_project_id":"p"}' }),
    ],
    ['another address with other settings', {}, () => ({ base_url: thief.url, config: '{"region":"r"}', name: 'x' })],
  ])('requires the key again for %s', async (_, channel, change) => {
    const before = await createChannel(app, admin, { ...openai, ...channel });
    expect((await update({ id: before.id, ...change() })).body).toEqual(keyNeeded);
    expect(await storedChannel(app, before.id)).toEqual(before);
    const result = await admin.send(channelApi.upstreamModelsWith, {
      body: { id: before.id, ...openai, ...channel, key: '', ...change() },
    });
    expect(result.body).toEqual(keyNeeded);
    await admin.send(channelApi.test, { params: { id: before.id }, query: {} });
    expect(thiefTraffic()).not.toContain('victim');
  });

  test("a channel's base URL can be changed with a new key, which is then used there", async () => {
    const { id } = await createChannel(app, admin, openai);
    const { body } = await update({ id, base_url: thief.url, key: 'sk-another-1234567' });
    expect(body).toMatchObject({ success: true, data: { base_url: thief.url } });
    expect((await admin.send(channelApi.test, { params: { id }, query: {} })).body).toMatchObject({ success: true });
    expect(thiefTraffic()).toContain('sk-another-1234567');
    expect(thiefTraffic()).not.toContain('victim');
  });

  test.each([
    [
      'another spelling of the same address',
      { base_url: 'https://shared.example/v1' },
      { base_url: 'HTTPS://shared.example:443/v1/' },
    ],
    ['another type at the same address', { base_url: 'https://shared.example', type: 8 }, { type: 1 }],
    ['an unchanged form', openai, { ...openai, key: '' }],
  ])('requires no key for %s', async (_, channel, change) => {
    const { id, key_sealed } = await createChannel(app, admin, { ...openai, ...channel });
    expect((await update({ id, ...change })).body).toMatchObject({ success: true });
    expect((await storedChannel(app, id)).key_sealed).toBe(key_sealed);
  });

  test('config secrets are dropped unless given again', async () => {
    const config = JSON.stringify({ region: 'eu-west-1', ak: 'AK1', sk: 'victim-secret-key' });
    const before = await createChannel(app, admin, { ...openai, type: 33, key: '', config });
    const withoutSecret = JSON.stringify({ region: 'eu-west-1', ak: 'AK1' });
    expect((await update({ id: before.id, base_url: thief.url, config: withoutSecret })).body).toEqual(keyNeeded);
    expect(await storedChannel(app, before.id)).toEqual(before);
    await update({ id: before.id, base_url: thief.url, key: 'AK2|another-secret|eu-west-1' });
    const shown = await admin.call(channelApi.get, { params: { id: before.id } });
    expect(JSON.parse(shown.config)).toEqual({ region: 'eu-west-1', ak: 'AK1' });
  });
});

describe('unknown channel type', () => {
  const unknown = (type: number) => ({ success: false, message: `Unknown channel type ${type}` });

  test.each([47, 999, 100_000])(
    'rejects type %i in a new channel, an updated channel and a model list request',
    async (type) => {
      expect((await admin.send(channelApi.create, { body: { ...openai, type } })).body).toEqual(unknown(type));
      const before = await createChannel(app, admin, openai);
      expect((await update({ id: before.id, type, key: 'sk-other' })).body).toEqual(unknown(type));
      expect(await storedChannel(app, before.id)).toEqual(before);
      const { body } = await admin.send(channelApi.upstreamModelsWith, { body: { ...openai, type } });
      expect(body).toEqual(unknown(type));
    },
  );

  test('a type stored by another version is kept, can be edited and changed, and returns an error when tested', async () => {
    const { id } = await createChannel(app, admin, openai);
    await app.database.updateTable('channels').set({ type: 999 }).where('id', '=', id).execute();
    expect((await update({ id, name: 'kept', priority: 7 })).body).toMatchObject({
      success: true,
      data: { type: 999 },
    });
    const { body } = await admin.send(channelApi.test, { params: { id }, query: {} });
    expect(body).toMatchObject({ success: false, message: 'Channels of this type cannot be tested yet' });
    expect((await update({ id, type: 1, key: 'sk-again' })).body).toMatchObject({ success: true, data: { type: 1 } });
  });
});
