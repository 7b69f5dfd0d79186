import {
  errorCodeHeader,
  organizationApi,
  organizationMemberApi,
  organizationTokenApi,
  role,
} from '@headgate/contract';
import { expect, it } from 'vitest';
import { organizationFixture } from '../../testing/accounts/organization-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { AdminSecondFactorEnabled: 'true' } });
const { people, createOrganization, join, signedInUser } = await organizationFixture(app);

it('[A75.11] an admin without the required second factor has only the permissions of an organization member', async () => {
  const id = await createOrganization();
  const { client, user } = await signedInUser({ role: role.admin });
  const codes = async () => {
    const sent = [
      await client.send(organizationApi.get, { params: { id } }),
      await client.send(organizationMemberApi.list, { params: { id } }),
      await client.send(organizationApi.update, { body: { id, group: 'vip' } }),
      await client.send(organizationTokenApi.create, {
        params: { id },
        body: { name: 'key', unlimited_quota: true, service_account_id: 1 },
      }),
      await client.send(organizationApi.remove, { params: { id } }),
    ];
    return sent.map(({ headers }) => headers.get(errorCodeHeader));
  };
  expect(await codes()).toEqual(Array(5).fill('secondFactorRequired'));
  await join(id, user.id, 'member');
  expect(await codes()).toEqual([
    null,
    'organizationRole',
    'secondFactorRequired',
    'organizationRole',
    'organizationRole',
  ]);
  const [own] = await client.call(organizationApi.own);
  expect(own).toMatchObject({ role: 'member', quota: 0 });
  expect(own?.permissions).not.toContain('delete');
  await app.database.updateTable('users').set({ second_factor: 1 }).where('id', '=', user.id).execute();
  expect((await client.call(organizationApi.get, { params: { id } })).permissions).toContain('delete');
  expect(await people.owner.client.call(organizationApi.get, { params: { id } })).toMatchObject({ group: 'default' });
});
