/** Simplified Chinese for user pages. */
export const users = {
  'Unknown identity': '未知身份',
  'Disable tokens': '禁用令牌',
  Ban: '封禁',
  Activate: '启用',
  'Less than {amount}': '少于 {amount}',
  'Used up': '已用完',
  '{amount} or more': '{amount} 及以上',
  'View details': '查看详情',
  'No users yet': '还没有用户',
  'Search by ID, name and email': '按 ID、名称和邮箱搜索',
  'Request count': '请求次数',
  'No email bound': '未绑定邮箱',
  Remaining: '剩余',
  Promote: '提升',
  Demote: '降级',
  'Delete user {name}?': '删除用户 {name}？',
  'The account and its tokens stop working immediately. This cannot be undone.':
    '该账户及其令牌将立即失效，且无法撤销。',
  'Delete user': '删除用户',
  'Signs the user out on all devices and disables all their API tokens.':
    '将使该用户在所有设备上退出登录，并禁用其全部 API 令牌。',
  'Reset second factor': '重置两步验证',
  'Reset second factor of {name}?': '重置 {name} 的两步验证？',
  'Two-step login is turned off, all passkeys are removed, and the user is signed out on all devices. If the user has no other sign-in method, set a new password for them.':
    '将关闭两步验证、移除所有通行密钥，并使该用户在所有设备上退出登录。若其没有其他登录方式，请为其设置新密码。',
} as const;
