import { organizationDirectoryApi, organizationMemberApi, userApi, userStatus } from '@headgate/contract';
import { describe, expect, it } from 'vitest';
import { directoryFixture, patchOf } from '../../testing/accounts/directory-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { people, root, createDirectory, join, signedInUser, accountOf, roleOf } = await directoryFixture(app);
const owner = people.owner.client;
const deactivate = patchOf({ op: 'replace', value: { active: false } });
const activate = patchOf({ op: 'replace', value: { active: true } });

describe('a directory', () => {
  it('[A75.9] neither signs out nor re-adds a user who has left the organization', async () => {
    const { id, scim } = await createDirectory();
    const person = await signedInUser({ email: 'left@corp.example' });
    await join(id, person.user.id, 'member');
    const { body } = await scim('POST', '/Users', { userName: 'left@corp.example' });
    await person.client.call(organizationMemberApi.leave, { params: { id } });
    for (const change of [deactivate, activate, deactivate, activate]) {
      await scim('PATCH', `/Users/${body.id}`, change);
      expect(await roleOf(id, person.user.id)).toBe(undefined);
      expect((await person.client.send(userApi.self)).status).toBe(200);
    }
    await scim('DELETE', `/Users/${body.id}`);
    expect((await person.client.send(userApi.self)).status).toBe(200);
  });

  it('[A75.12] does not enable an account that an admin banned while it was deactivated', async () => {
    const { scim } = await createDirectory();
    const user = (await scim('POST', '/Users', { userName: 'banned-later@corp.example' })).body.id;
    await scim('PATCH', `/Users/${user}`, deactivate);
    const { username } = await accountOf(user);
    await root.call(userApi.manage, { body: { username, action: 'disable' } });
    await scim('PATCH', `/Users/${user}`, activate);
    expect((await accountOf(user)).status).toBe(userStatus.disabled);
  });

  it("[A75.10] gives a reactivated user the role of the user's groups at that time", async () => {
    const { id, scim } = await createDirectory();
    const user = (await scim('POST', '/Users', { userName: 'was-admin@corp.example' })).body.id;
    await scim('POST', '/Groups', { displayName: 'Staff', members: [{ value: user }] });
    const [group] = await owner.call(organizationDirectoryApi.groups, { params: { id } });
    const map = (role: 'admin' | 'viewer') =>
      owner.call(organizationDirectoryApi.updateGroup, { params: { id }, body: { id: group?.id ?? 0, role } });
    await map('admin');
    const account = await accountOf(user);
    expect(await roleOf(id, account.id)).toBe('admin');
    await scim('PATCH', `/Users/${user}`, deactivate);
    await map('viewer');
    await scim('PATCH', `/Users/${user}`, activate);
    expect(await roleOf(id, account.id)).toBe('viewer');
  });
});
