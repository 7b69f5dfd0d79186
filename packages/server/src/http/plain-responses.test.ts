import { channelApi, optionApi, sessionApi, userApi } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { useTestApp } from '../testing/test-app.ts';

const app = await useTestApp();
const headers = { prefer: 'plain-responses' };

describe('Prefer: plain-responses', () => {
  test('returns the data without the envelope', async () => {
    const root = await app.as('root');
    const response = await root.send(userApi.self, { headers });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('preference-applied')).toBe('plain-responses');
    expect(response.headers.has('x-headgate-unconfirmed')).toBe(false);
    expect(response.body).toMatchObject({ id: expect.any(Number), username: expect.any(String) });
    expect(response.body).not.toHaveProperty('success');
  });

  test('returns a list as an array, with its total in the header', async () => {
    const root = await app.as('root');
    const { body, headers: sent } = await root.send(channelApi.list, { headers });
    expect(body).toEqual([]);
    expect(sent.get('x-total-count')).toBe('0');
  });

  test('returns an empty object where there is no data', async () => {
    expect((await app.client().send(sessionApi.logout, { headers })).body).toEqual({});
  });

  test('is accepted among several preferences and in any letter case', async () => {
    const response = await app.client().send(sessionApi.logout, { headers: { prefer: 'wait=5, Plain-Responses' } });
    expect(response.body).toEqual({});
    expect((await app.client().send(sessionApi.logout, { headers: { prefer: 'plain' } })).body).toHaveProperty(
      'success',
    );
  });

  test('returns 404 for absent objects and 400 for other errors that otherwise have status 200', async () => {
    const root = await app.as('root');
    const absent = { params: { id: 999_999 } };
    const unknownOption = { body: { key: 'NoSuchOption', value: '' } };
    const withoutModels = { body: { name: 'x', key: 'k', models: '' } };
    const statuses = async (extra: object) =>
      Promise.all([
        root.send(channelApi.get, { ...absent, ...extra }),
        root.send(userApi.get, { ...absent, ...extra }),
        root.send(channelApi.remove, { ...absent, ...extra }),
        root.send(optionApi.update, { ...unknownOption, ...extra }),
        root.send(channelApi.create, { ...withoutModels, ...extra }),
        app.client().send(userApi.self, extra),
      ]).then((responses) => responses.map(({ status }) => status));
    expect(await statuses({})).toEqual([200, 200, 200, 200, 200, 401]);
    expect(await statuses({ headers })).toEqual([404, 404, 404, 404, 400, 401]);
  });
});

describe('PUT with the id in the path', () => {
  async function createdChannel() {
    const root = await app.as('root');
    const { body } = await root.send(channelApi.create, {
      body: { name: 'first', key: 'k1\nk2', models: 'gpt-4o' },
    });
    const { id, ids } = (body as { data: { id: number; ids: number[] } }).data;
    expect(ids).toEqual([id, id + 1]);
    return { root, id };
  }

  test('changes the object like a PUT with the id in the body, and returns the same ETag', async () => {
    const { root, id } = await createdChannel();
    const read = await root.send(channelApi.get, { params: { id } });
    const etag = read.headers.get('etag') ?? '';
    const put = (body: object, ifMatch = etag) =>
      root.request('PUT', `/api/channel/${id}`, { body, headers: { ...headers, 'if-match': ifMatch } });
    const changed = await put({ name: 'second' });
    expect(changed.body).toMatchObject({ id, name: 'second' });
    expect((await put({ id, name: 'third' }, changed.headers.get('etag') ?? '')).body).toMatchObject({ name: 'third' });
    expect((await put({ name: 'fourth' })).status).toBe(412);
  });

  test.each([
    ['another id in the body', { id: 7_000_000, name: 'x' }, 400],
    ['a body that is no object', [1], 400],
  ])('rejects %s', async (_, body, status) => {
    const { root, id } = await createdChannel();
    expect((await root.request('PUT', `/api/channel/${id}`, { body })).status).toBe(status);
    expect((await root.request('PUT', '/api/channel/x', { body: {} })).status).toBe(404);
  });

  test('requires the same role as without the id in the path', async () => {
    const { id } = await createdChannel();
    const user = await app.as('user');
    expect((await user.request('PUT', `/api/channel/${id}`, { body: { name: 'x' } })).status).toBe(403);
  });
});
