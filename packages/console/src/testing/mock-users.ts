import type { User } from '@headgate/contract';
import type { Network } from './network.ts';

const plainUser: User = {
  id: 1,
  username: 'ada',
  display_name: '',
  role: 1,
  status: 1,
  email: '',
  github_id: '',
  wechat_id: '',
  lark_id: '',
  oidc_id: '',
  quota: 0,
  used_quota: 0,
  request_count: 0,
  group: 'default',
  aff_code: '',
  inviter_id: 0,
  tokens_locked: false,
};

/** Shows these users in the list instead of the stored ones. */
export function mockUsers(network: Network, ...users: readonly Partial<User>[]): void {
  const data = users.map((user, index) => ({ ...plainUser, id: index + 1, ...user }));
  network.route('GET', '/api/user/', () => Response.json({ success: true, message: '', data }));
}
