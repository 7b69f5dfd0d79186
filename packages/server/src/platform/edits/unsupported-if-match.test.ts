import { apiTables, channelApi, type Endpoint, optionApi, priceApi, rejectsIfMatch, viewApi } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { accessTokenFixture } from '../../testing/accounts/access-token-fixture.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { holder } = accessTokenFixture(app);
const root = await app.signedIn('root', '123456');

const rows: readonly Endpoint[] = Object.values(apiTables).flatMap((table) => Object.values(table));
const named = (row: Endpoint) => ({ name: `${row.method} ${row.path}`, row });
const unheeded = apiFailure('This endpoint does not support If-Match. Nothing was changed; remove the header');

test('endpoints that change one row support If-Match; endpoints that only read or export need not', () => {
  const ignoring = rows.filter(rejectsIfMatch).map((row) => named(row).name);
  expect(ignoring).toEqual(expect.arrayContaining(['PUT /api/option/', 'PUT /api/prices', 'POST /api/user/manage']));
  for (const name of ['PUT /api/channel/', 'DELETE /api/channel/:id/', 'GET /api/user/self', 'POST /api/user/export'])
    expect(ignoring).not.toContain(name);
  // A new PUT endpoint must be classified here; those listed set values by name or a single field.
  expect(ignoring.filter((name) => name.startsWith('PUT '))).toEqual([
    'PUT /api/user/sign_in_elsewhere',
    'PUT /api/organization/:id/budgets',
    'PUT /api/organization/:id/scim/groups',
    'PUT /api/organization/:id/sso',
    'PUT /api/organization/:id/sso/providers',
    'PUT /api/organization/:id/jwt_issuers',
    'PUT /api/option/',
    'PUT /api/prices',
    'PUT /api/body/self',
    'PUT /api/body/user/:id',
    'PUT /api/view/',
  ]);
});

describe('[A56.1] If-Match on endpoints that do not support it', () => {
  const changes: readonly { readonly row: Endpoint; readonly body: object }[] = [
    { row: optionApi.update, body: { key: 'SystemName', value: 'overwritten' } },
    { row: priceApi.save, body: { changes: [{ model: 'overwritten', price: { input: 3 } }] } },
    { row: viewApi.save, body: { list: 'channel', name: 'overwritten', query: 'status=1' } },
    { row: channelApi.create, body: { name: 'overwritten', key: 'sk-x', models: 'm' } },
  ];

  /** All data that one of these endpoints may change. */
  const look = async (): Promise<string> => {
    const responses = await Promise.all([
      root.send(optionApi.list, { query: {} }),
      root.send(priceApi.list),
      root.send(viewApi.list, { query: { list: 'channel' } }),
      root.send(channelApi.list, { query: {} }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    return responses.map(({ text }) => text).join();
  };

  test.each(changes.map((change) => ({ ...named(change.row), ...change })))(
    'If-Match is rejected by $name',
    async ({ row, body }) => {
      const before = await look();
      for (const ifMatch of ['"nonsense"', '*', '']) {
        const response = await root.send(row, { body, headers: { 'if-match': ifMatch } });
        expect(response.status).toBe(412);
        expect(response.headers.get('x-error-code')).toBe('ifMatchUnheeded');
        expect(response.body).toEqual(unheeded);
      }
      expect((await look()) === before).toBe(true);
      expect((await root.send(row, { body })).body).toMatchObject({ success: true });
    },
  );

  test('the error is not shown to callers who may not use the endpoint', async () => {
    const { program } = await holder('read', {});
    const headers = { 'if-match': '"x"' };
    expect((await app.client().send(optionApi.update, { body: {}, headers })).status).toBe(401);
    expect((await program.send(optionApi.update, { body: {}, headers })).status).toBe(403);
  });
});
