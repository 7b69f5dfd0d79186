import { defaultGroup, role, userStatus } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';

/** Actor of changes without an admin, in the log. It is not an account, and no account has a name that starts with @. */
export const automaticActor = (username: `@${string}`): UserRow => ({
  id: 0,
  username,
  display_name: '',
  password_hash: null,
  role: role.root,
  status: userStatus.enabled,
  email: null,
  github_id: null,
  wechat_id: null,
  lark_id: null,
  oidc_id: null,
  wechat_issuer: '',
  oidc_issuer: '',
  quota: 0,
  used_quota: 0,
  request_count: 0,
  group: defaultGroup,
  aff_code: null,
  inviter_id: 0,
  created_time: 0,
  access_token_hash: null,
  credited: 0,
  unlogged_quota: 0,
  budgeted_quota: 0,
  second_factor: 0,
  sign_in_elsewhere: 0,
  tokens_locked: 0,
  name_key: null,
});
