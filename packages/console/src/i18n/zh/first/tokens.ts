/** Simplified Chinese for token pages. */
export const tokens = {
  'Never expire': '永不过期',
  'An admin disabled your tokens': '管理员已禁用您的令牌',
  'You have no tokens yet': '您还没有令牌',
  'Search by name': '按名称搜索',
  'Copy for': '复制为',
  'Shown after first use': '首次使用后显示',
  'Open chat in': '在客户端中聊天',
  'Delete token {name}?': '删除令牌 {name}？',
  'Delete token': '删除令牌',
  Expiry: '过期时间',
  'Disabled by an admin': '已被管理员禁用',
  'Disabled by an admin: {reason}': '已被管理员禁用：{reason}',
} as const;
