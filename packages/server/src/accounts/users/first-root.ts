import { defaultGroup, defaultRoot, role, userStatus } from '@headgate/contract';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { hashPassword } from './password.ts';
import type { UserRepository } from './user-repository.ts';

/** One billion dollars at the default rate, so that root can always run tests. */
export const rootStartQuota = 500_000_000_000_000;

/** Creates the root account when there are no users; returns whether it did. */
export async function createFirstRoot(
  users: UserRepository,
  password: string | undefined,
  passwordKib?: number,
): Promise<boolean> {
  if (await users.hasAny()) return false;
  const made = await users.insertUnlessTaken({
    username: defaultRoot.username,
    display_name: 'Root User',
    password_hash: await hashPassword(password ?? defaultRoot.password, passwordKib),
    role: role.root,
    status: userStatus.enabled,
    quota: rootStartQuota,
    credited: rootStartQuota,
    used_quota: 0,
    request_count: 0,
    group: defaultGroup,
    inviter_id: 0,
    created_time: nowInSeconds(),
    email: null,
    github_id: null,
    wechat_id: null,
    lark_id: null,
    oidc_id: null,
    aff_code: null,
    access_token_hash: null,
  });
  return made !== undefined;
}
