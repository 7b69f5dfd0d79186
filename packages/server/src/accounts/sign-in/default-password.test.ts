import { defaultRoot, role, sessionApi } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { useTestApp } from '../../testing/test-app.ts';

const direct = await useTestApp();
const behindProxy = await useTestApp({ config: { trustedProxies: ['127.0.0.1'] } });

const afar = { 'x-forwarded-for': '203.0.113.9' };
const rejection = {
  success: false,
  message: expect.stringMatching(/only on the machine itself.*npm run passwd.*ROOT_PASSWORD/),
};

describe('[A17.1] default password of root', () => {
  test('the default root password is accepted from localhost', async () => {
    const { body } = await direct.client().send(sessionApi.login, { body: defaultRoot });
    expect(body).toMatchObject({ success: true, data: { username: 'root', role: role.root } });
  });

  test('the default root password is rejected from a remote address with instructions', async () => {
    const response = await behindProxy.client().send(sessionApi.login, { body: defaultRoot, headers: afar });
    expect(response.status).toBe(200);
    expect(response.body).toEqual(rejection);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test('the default root password is accepted from localhost through a trusted proxy only if nothing was forwarded', async () => {
    const { body } = await behindProxy.client().send(sessionApi.login, { body: defaultRoot });
    expect(body).toMatchObject({ success: true });
  });

  test.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])(
    'the default root password is rejected if the header %s reveals an undeclared proxy',
    async (header) => {
      const headers = { [header]: '127.0.0.1' };
      const { body } = await direct.client().send(sessionApi.login, { body: defaultRoot, headers });
      expect(body).toEqual(rejection);
    },
  );

  test('the default root password is rejected from a remote address in Chinese', async () => {
    const headers = { ...afar, 'accept-language': 'zh-CN,zh;q=0.9' };
    const { body } = await behindProxy.client().send(sessionApi.login, { body: defaultRoot, headers });
    expect(body).toEqual({ success: false, message: expect.stringContaining('默认密码只能在本机使用') });
  });

  test("the default root password is rejected from a remote address for any of root's names or email addresses", async () => {
    const root = { role: role.root, password: defaultRoot.password };
    await behindProxy.createUser({ ...root, username: 'boss', email: 'boss@example.com' });
    for (const username of ['boss', 'boss@example.com']) {
      const response = await behindProxy
        .client()
        .send(sessionApi.login, { body: { username, password: defaultRoot.password }, headers: afar });
      expect(response.body).toEqual(rejection);
    }
  });

  test('the default root password is rejected with the same message if root has another password, so that nothing is revealed', async () => {
    const changed = await behindProxy.createUser({ username: 'changed', role: role.root, password: 'another one' });
    const response = await behindProxy
      .client()
      .send(sessionApi.login, { body: { username: changed.username, password: defaultRoot.password }, headers: afar });
    expect(response.body).toEqual(rejection);
  });
});

test('any other password is accepted from a remote address', async () => {
  const { username, password } = await behindProxy.createUser({ role: role.root });
  const response = await behindProxy.client().send(sessionApi.login, { body: { username, password }, headers: afar });
  expect(response.body).toMatchObject({ success: true });
});
