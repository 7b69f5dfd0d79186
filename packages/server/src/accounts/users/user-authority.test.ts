import { type ManageAction, manageActions, role, userApi, userStatus } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { logsOf, rowOf, signedInUser } = accountsOf(app);

const actors = {
  admin: await signedInUser({ username: 'acting-admin', role: role.admin }),
  root: await signedInUser({ username: 'acting-root', role: role.root }),
};
type Actor = keyof typeof actors;
type Target = 'common' | 'banned' | 'admin' | 'root' | 'self';

const targets: Readonly<Record<Exclude<Target, 'self'>, { role: number; status?: number }>> = {
  common: { role: role.common },
  banned: { role: role.common, status: userStatus.disabled },
  admin: { role: role.admin },
  root: { role: role.root },
};

const targetFor = (actor: Actor, target: Target) =>
  target === 'self' ? rowOf(actors[actor].user.id) : app.createUser(targets[target]);

const notAbove = 'You cannot change users with the same or a higher role';
const enabled = { status: userStatus.enabled };
const disabled = { status: userStatus.disabled };

/** Expected result, or error message, of each action for each kind of user. */
const table: Readonly<Record<Actor, Readonly<Record<ManageAction, Readonly<Record<Target, object | string>>>>>> = {
  admin: {
    enable: { common: enabled, banned: enabled, admin: notAbove, root: notAbove, self: notAbove },
    disable: { common: disabled, banned: disabled, admin: notAbove, root: notAbove, self: notAbove },
    delete: {
      common: { status: userStatus.deleted },
      banned: { status: userStatus.deleted },
      admin: notAbove,
      root: notAbove,
      self: notAbove,
    },
    promote: {
      common: 'Only a super admin can make users admins',
      banned: 'Only a super admin can make users admins',
      admin: notAbove,
      root: notAbove,
      self: notAbove,
    },
    demote: {
      common: 'This user is already a common user',
      banned: 'This user is already a common user',
      admin: notAbove,
      root: notAbove,
      self: notAbove,
    },
  },
  root: {
    enable: {
      common: enabled,
      banned: enabled,
      admin: enabled,
      root: 'The role and status of a super admin cannot be changed',
      self: 'The role and status of a super admin cannot be changed',
    },
    disable: {
      common: disabled,
      banned: disabled,
      admin: disabled,
      root: 'A super admin cannot be banned',
      self: 'A super admin cannot be banned',
    },
    delete: {
      common: { status: userStatus.deleted },
      banned: { status: userStatus.deleted },
      admin: { status: userStatus.deleted },
      root: 'A super admin cannot be deleted',
      self: 'A super admin cannot be deleted',
    },
    promote: {
      common: { role: role.admin },
      banned: { role: role.admin },
      admin: 'This user is already an admin',
      root: 'This user is already an admin',
      self: 'This user is already an admin',
    },
    demote: {
      common: 'This user is already a common user',
      banned: 'This user is already a common user',
      admin: { role: role.common },
      root: 'A super admin cannot be demoted',
      self: 'A super admin cannot be demoted',
    },
  },
};

const actorNames = ['admin', 'root'] as const;
const targetNames = ['common', 'banned', 'admin', 'root', 'self'] as const;
const pairs = actorNames.flatMap((actor) => targetNames.map((target) => ({ actor, target })));
const cases = pairs.flatMap((pair) => manageActions.map((action) => ({ ...pair, action })));

describe('[S7.23] [S7.24] [S1.20] [A12.1] user management', () => {
  test.each(cases)(
    '$actor performs "$action" on $target with the expected result',
    async ({ actor, target, action }) => {
      const before = await targetFor(actor, target);
      const expected = table[actor][action][target];
      const { user, client } = actors[actor];
      const logsBefore = await logsOf(before.id);
      const response = await client.send(userApi.manage, { body: { username: before.username, action } });
      expect(response.status).toBe(200);
      const after = await rowOf(before.id);
      const logs = (await logsOf(before.id)).slice(logsBefore.length);
      if (typeof expected === 'string') {
        expect(response.body).toEqual(apiFailure(expected));
        expect(after).toMatchObject({ username: before.username, role: before.role, status: before.status });
        expect(logs).toEqual([]);
        return;
      }
      const { role: oldRole, status } = before;
      expect(response.body).toEqual({ success: true, message: '', data: { role: oldRole, status, ...expected } });
      expect(after).toMatchObject({ role: oldRole, status, ...expected });
      const isChanged = after.role !== oldRole || after.status !== status;
      expect(logs).toHaveLength(isChanged ? 1 : 0);
      if (isChanged) {
        expect(logs[0]).toMatchObject({ type: 3, username: before.username });
        expect(logs[0]?.content).toContain(user.username);
        expect(logs[0]?.content).toContain(before.username);
      }
    },
  );

  test.each([
    ['enable', '无法更改超级管理员的权限或状态'],
    ['disable', '无法禁用超级管理员用户'],
    ['delete', '无法删除超级管理员用户'],
    ['promote', '该用户已经是管理员'],
    ['demote', '无法降级超级管理员用户'],
  ])('rejects the action %s on root in Chinese', async (action, message) => {
    const { user, client } = actors.root;
    const headers = { 'accept-language': 'zh-CN' };
    const response = await client.send(userApi.manage, { body: { username: user.username, action }, headers });
    expect(response.body).toEqual(apiFailure(message));
  });

  test('does not find a name that is unknown, deleted, partial or in another case', async () => {
    const { username } = await app.createUser({ username: 'Exactly' });
    const deleted = await app.createUser({ status: userStatus.deleted });
    const names = ['nobody', deleted.username, username.toLowerCase(), 'Exact', '%', `${username}\u200b`];
    for (const name of names) {
      const response = await actors.root.client.send(userApi.manage, { body: { username: name, action: 'disable' } });
      expect(response.body).toEqual(apiFailure('User not found'));
    }
  });

  test.each([
    { username: '', action: 'disable' },
    { action: 'disable' },
    { username: 'acting-admin' },
    { username: 'acting-admin', action: 'ban' },
    { username: 'acting-admin', action: '__proto__' },
    { username: 'acting-admin', action: ['disable'] },
    { username: ['acting-admin'], action: 'disable' },
    { username: 'x'.repeat(101), action: 'disable' },
  ])('rejects the management request %j', async (body) => {
    expect((await actors.root.client.send(userApi.manage, { body })).status).toBe(400);
  });

  test('[A12.2] ignores a role or status in the request', async () => {
    const user = await app.createUser();
    const body = { username: user.username, action: 'disable', role: 100, status: 1, id: 1 };
    await actors.admin.client.send(userApi.manage, { body });
    expect(await rowOf(user.id)).toMatchObject({ role: role.common, status: userStatus.disabled });
  });
});

/** Roles that may read and change users by id. Only root can access its own row, and root can never be deleted. */
const reach: Readonly<Record<Actor, readonly Target[]>> = {
  admin: ['common', 'banned'],
  root: ['common', 'banned', 'admin', 'self'],
};

describe('[S7.26] [S7.27] [A12.1 A14.1] user by id', () => {
  test.each(pairs)('$actor reads $target only with a higher role', async ({ actor, target }) => {
    const { id } = await targetFor(actor, target);
    const response = await actors[actor].client.send(userApi.get, { params: { id } });
    expect(response.status).toBe(200);
    expect(response.body).toEqual(
      reach[actor].includes(target)
        ? expect.objectContaining({ success: true, data: expect.objectContaining({ id }) })
        : apiFailure('You cannot view users with the same or a higher role'),
    );
  });

  test.each(pairs)('$actor changes $target and adds quota only with a higher role', async ({ actor, target }) => {
    const before = await rowOf((await targetFor(actor, target)).id);
    const { client } = actors[actor];
    const body = { id: before.id, display_name: `Changed by ${actor}`, password: 'battery staple' };
    const isReached = reach[actor].includes(target);
    const expected = isReached ? apiSuccess : apiFailure(notAbove);
    expect((await client.send(userApi.update, { body })).body).toEqual(expected);
    expect((await client.send(userApi.topUp, { body: { user_id: before.id, quota: 7 } })).body).toEqual(expected);
    const after = await rowOf(before.id);
    if (isReached) expect(after).toMatchObject({ display_name: body.display_name, quota: before.quota + 7 });
    else expect(after).toEqual(before);
    expect(after.password_hash === before.password_hash).toBe(!isReached);
  });

  test.each(pairs)('$actor deletes $target only with a higher role', async ({ actor, target }) => {
    const before = await targetFor(actor, target);
    const response = await actors[actor].client.send(userApi.remove, { params: { id: before.id } });
    const isReached = reach[actor].includes(target);
    const words =
      target === 'self' && actor === 'root'
        ? 'A super admin cannot be deleted'
        : 'You cannot delete users with the same or a higher role';
    expect(response.body).toEqual(isReached && target !== 'self' ? apiSuccess : apiFailure(words));
    expect((await rowOf(before.id)).status).toBe(isReached && target !== 'self' ? userStatus.deleted : before.status);
  });
});
