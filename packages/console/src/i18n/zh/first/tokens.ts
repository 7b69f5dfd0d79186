/** Simplified Chinese for token pages. */
export const tokens = {
  'Never expire': '永不过期',
  'An admin disabled your tokens': '管理员已禁用您的令牌',
  'You cannot create or enable tokens until an admin allows it.': '在管理员允许之前，您无法创建或启用令牌。',
  'You have no tokens yet': '您还没有令牌',
  'Search by name': '按名称搜索',
  'Copy for': '复制为',
  'Shown after first use': '首次使用后显示',
  'Open chat in': '在客户端中聊天',
  'Delete token {name}?': '删除令牌 {name}？',
  'Clients using this key stop working immediately. This cannot be undone.':
    '使用此密钥的客户端将立即失效，且无法撤销。',
  'Delete token': '删除令牌',
  Expiry: '过期时间',
  'Connect a client to {name}': '将客户端接入 {name}',
  'Token created. Connect a client:': '令牌已创建，可接入客户端：',
  'Disabled by an admin': '已被管理员禁用',
  'Disabled by an admin: {reason}': '已被管理员禁用：{reason}',
  'Pick a date': '选择日期',
} as const;
