import { accessTokenApi, channelApi, optionApi, tokenApi } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { dataFieldsOf, TerraformObject } from '../testing/terraform-provider.ts';
import { useTestApp } from '../testing/test-app.ts';

const app = await useTestApp();
const root = await app.as('root');
const { key: accessToken } = await root.call(accessTokenApi.create, { body: { name: 'terraform', scope: 'all' } });

const channel = 'resource "restapi_object" "channel"';
const token = 'resource "restapi_object" "token"';
const option = 'resource "restapi_object" "option"';

const object = (resource: string, data: Readonly<Record<string, unknown>>) => {
  expect(Object.keys(data)).toEqual(dataFieldsOf(resource));
  return new TerraformObject(resource, data, { url: app.url, accessToken });
};

const channelData = {
  name: 'openai',
  type: 1,
  key: 'sk-provider',
  models: 'gpt-4o,gpt-4o-mini',
  group: 'default',
  base_url: '',
  priority: 0,
};
const tokenData = { name: 'billing-service', models: 'gpt-4o-mini', unlimited_quota: false, remain_quota: 5_000_000 };

describe('Terraform provider with deploy/terraform', () => {
  test('creates, reads, updates and destroys a channel', async () => {
    const managed = object(channel, channelData);
    await managed.create();
    const id = Number(managed.id);
    expect(await managed.read()).toEqual([]);
    expect(await managed.update({ ...channelData, name: 'renamed', priority: 5 })).toEqual([]);
    expect(await root.call(channelApi.get, { params: { id } })).toMatchObject({ name: 'renamed', priority: 5 });
    await managed.destroy();
    expect(await managed.read()).toBeUndefined();
    expect(managed.calls).toEqual([
      'POST /api/channel',
      `GET /api/channel/${id}`,
      `PUT /api/channel/${id}`,
      `GET /api/channel/${id}`,
      `DELETE /api/channel/${id}`,
      `GET /api/channel/${id}`,
    ]);
  });

  test('creates, reads, updates and destroys a token, whose key is an output', async () => {
    const managed = object(token, tokenData);
    await managed.create();
    const id = Number(managed.id);
    expect(JSON.parse(managed.createResponse).key).toMatch(/^\w{48}$/);
    expect(await managed.read()).toEqual([]);
    expect(await managed.update({ ...tokenData, models: 'gpt-4o' })).toEqual([]);
    expect(await root.call(tokenApi.get, { params: { id } })).toMatchObject({ models: 'gpt-4o', name: tokenData.name });
    await managed.destroy();
    expect(await managed.read()).toBeUndefined();
  });

  test('sets an option, and leaves its value on destroy', async () => {
    const managed = object(option, { key: 'SystemName', value: 'Example gateway' });
    await managed.create();
    expect(managed.id).toBe('SystemName');
    expect(await managed.read()).toEqual([]);
    expect(await managed.update({ key: 'SystemName', value: 'Other' })).toEqual([]);
    await managed.destroy();
    expect(await managed.read()).toEqual([]);
    expect(managed.calls.filter((call) => call.startsWith('PUT'))).toEqual(['PUT /api/option', 'PUT /api/option']);
  });

  test('reports a change made in the console as drift', async () => {
    const managed = object(channel, { ...channelData, name: 'drifting' });
    await managed.create();
    await root.call(channelApi.update, { body: { id: Number(managed.id), priority: 9 } });
    expect(await managed.read()).toEqual(['priority']);
    const set = object(option, { key: 'SystemName', value: 'By Terraform' });
    await set.create();
    await root.call(optionApi.update, { body: { key: 'SystemName', value: 'By hand' } });
    expect(await set.read()).toEqual(['value']);
  });

  test('recreates resources deleted in the console, and tolerates destroying them twice', async () => {
    const managed = object(token, { ...tokenData, name: 'deleted' });
    await managed.create();
    await root.call(tokenApi.remove, { params: { id: Number(managed.id) } });
    expect(await managed.read()).toBeUndefined();
    await managed.destroy();
  });

  test('fails if the gateway rejects the data', async () => {
    await expect(object(channel, { ...channelData, models: '' }).create()).rejects.toThrow(/'400': .*model/);
    await expect(object(option, { key: 'NoSuchOption', value: '' }).create()).rejects.toThrow(/'404'/);
    const managed = object(channel, { ...channelData, name: 'kept' });
    await managed.create();
    await expect(managed.update({ ...channelData, models: '' })).rejects.toThrow(/'400'/);
    expect(await root.call(channelApi.get, { params: { id: Number(managed.id) } })).toMatchObject({ name: 'kept' });
  });
});
