import { sessionApi, userApi } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { signedInUser } = accountsOf(app);

describe('session list', () => {
  test('the session list shows the location of each session, marks the current one and reveals no session id', async () => {
    const { user, client } = await signedInUser();
    const other = app.client();
    other.headers['user-agent'] = 'Other browser';
    await other.call(sessionApi.login, { body: { username: user.username, password: user.password } });
    await signedInUser();
    const response = await client.send(sessionApi.list);
    const { data } = response.body as { data: { isCurrent: boolean; user_agent: string; id: string }[] };
    expect(data).toHaveLength(2);
    expect(data.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    expect(data.find(({ isCurrent }) => !isCurrent)).toMatchObject({
      user_agent: 'Other browser',
      address: '127.0.0.1',
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    const rows = await app.database.selectFrom('sessions').select('id_hash').execute();
    for (const { id_hash } of rows) expect(response.text).not.toContain(id_hash);
    expect(response.text).not.toContain(client.cookies.get('headgate_session'));
  });

  test('ends sessions one by one', async () => {
    const { user, client } = await signedInUser();
    const other = await app.signedIn(user.username, user.password);
    const [session] = (await client.call(sessionApi.list)).filter(({ isCurrent }) => !isCurrent);
    const params = { session: session?.id ?? '' };
    expect((await client.send(sessionApi.end, { params })).body).toEqual(apiSuccess);
    expect((await other.send(userApi.self)).status).toBe(401);
    expect((await client.send(userApi.self)).status).toBe(200);
    expect((await client.send(sessionApi.end, { params })).body).toEqual(apiFailure('Not found'));
  });

  test('[A14.1] cannot end sessions of other users', async () => {
    const { client: victim } = await signedInUser();
    const [session] = await victim.call(sessionApi.list);
    const { client: attacker } = await signedInUser();
    for (const name of [session?.id ?? '', '', '%', '________________', 'x'.repeat(100)]) {
      const { status, body } = await attacker.send(sessionApi.end, { params: { session: name } });
      expect(status === 404 || (body as { success: boolean }).success === false).toBe(true);
    }
    expect((await victim.send(userApi.self)).status).toBe(200);
  });
});
