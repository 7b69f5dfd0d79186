import { optionApi, role, tokenApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { expect, it } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

it('[A67.8] an admin can pin a channel only with the required second factor', async () => {
  await using app = await startTestApp();
  const { group, close } = await relayFixture(app, { upstreams: [completion()] });
  const { id } = await app.database.selectFrom('channels').select('id').executeTakeFirstOrThrow();
  const admin = async (secondFactor: 0 | 1) => {
    const user = await app.createUser({ role: role.admin, group, quota: 1_000_000 });
    const client = await app.signedIn(user.username, user.password);
    const { key } = await client.call(tokenApi.create, { body: { name: 'pinned', unlimited_quota: true } });
    const change = { second_factor: secondFactor };
    await app.database.updateTable('users').set(change).where('id', '=', user.id).execute();
    return async (suffix: string) => {
      const headers = { authorization: `Bearer sk-${key}${suffix}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] });
      const response = await fetch(`${app.url}/v1/chat/completions`, { method: 'POST', headers, body });
      return [response.status, ((await response.json()) as { error?: { code: string } }).error?.code];
    };
  };
  const [lacking, having] = [await admin(0), await admin(1)];
  expect(await lacking(`-${id}`)).toEqual([200, undefined]);
  await (await app.as('root')).call(optionApi.update, { body: { key: 'AdminSecondFactorEnabled', value: 'true' } });
  expect(await lacking(`-${id}`)).toEqual([403, 'second_factor_required']);
  expect(await lacking('')).toEqual([200, undefined]);
  expect(await having(`-${id}`)).toEqual([200, undefined]);
  await close();
});
