import { logType, role, userApi, userStatus } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { DisplayInCurrencyEnabled: 'false' } });
const { logsOf, rowOf, signedInUser } = accountsOf(app);
const { client: admin } = await signedInUser({ username: 'boss', role: role.admin });

afterEach(() => expectBalancedLedger(app.database));

const unknown = apiFailure('User not found');
const topUp = (client: ApiClient, body: object) => client.send(userApi.topUp, { body });

describe('top-up by an admin', () => {
  test('a top-up is added, counted and logged', async () => {
    const user = await app.createUser({ quota: 5, used_quota: 2 });
    expect((await topUp(admin, { user_id: user.id, quota: 10 })).body).toEqual(apiSuccess);
    expect((await topUp(admin, { user_id: user.id, quota: 20, remark: ' paid by card ' })).body).toEqual(apiSuccess);
    expect(await rowOf(user.id)).toMatchObject({ quota: 35, credited: 37 });
    const log = { type: logType.topUp, username: user.username };
    expect(await logsOf(user.id)).toEqual([
      { ...log, content: 'boss added 10', quota: 10 },
      { ...log, content: 'boss added 20: paid by card', quota: 20 },
    ]);
  });

  test('fifty concurrent top-ups are all added', async () => {
    const user = await app.createUser();
    await Promise.all(Array.from({ length: 50 }, () => topUp(admin, { user_id: user.id, quota: 3 })));
    expect(await rowOf(user.id)).toMatchObject({ quota: 150, credited: 150 });
  });

  test('a top-up of an unknown user is rejected', async () => {
    const { id } = await app.createUser({ status: userStatus.deleted });
    for (const user_id of [id, 999_999]) expect((await topUp(admin, { user_id, quota: 1 })).body).toEqual(unknown);
  });

  test('a top-up that would overflow the quota is rejected', async () => {
    const user = await app.createUser({ quota: 9e15 });
    const response = await topUp(admin, { user_id: user.id, quota: 1e15 });
    expect(response.status).toBe(200);
    expect(response.body).toEqual(apiFailure('The quota of the user would exceed the maximum'));
    expect(await rowOf(user.id)).toMatchObject({ quota: 9e15, credited: 9e15 });
    expect(await logsOf(user.id)).toEqual([]);
  });

  test.each([
    { quota: 0 },
    { quota: -1 },
    { quota: 0.5 },
    { quota: 1e16 },
    { quota: '5' },
    { quota: null },
    {},
    { quota: 5, user_id: 'x' },
    { quota: 5, remark: 'x'.repeat(501) },
  ])('rejects the top-up %j', async (body) => {
    const user = await app.createUser();
    expect((await topUp(admin, { user_id: user.id, ...body })).status).toBe(400);
    expect(await rowOf(user.id)).toMatchObject({ quota: 0, credited: 0 });
  });
});
