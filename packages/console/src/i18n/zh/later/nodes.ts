/** Simplified Chinese for the nodes page. */
export const nodes = {
  'Processes of this gateway. Several nodes can share one PostgreSQL database.':
    '此网关的进程。多个节点可以共用一个 PostgreSQL 数据库。',
  'The nodes could not be loaded': '无法加载节点',
  'No nodes have reported yet': '还没有节点上报状态',
  'In-flight requests': '进行中的请求',
  'Oldest pending charge': '最早未入账的扣费',
  '{n} ms': '{n} 毫秒',
  'Quota leases': '额度租约',
  'Last seen': '最近在线',
  'this node': '当前节点',
  'Not responding': '无响应',
  Online: '在线',
  'Version {version}, running since': '版本 {version}，启动于',
  'Unconfirmed change since': '尚未确认的更改，时间',
  'Settings that need a restart': '需要重启才能生效的设置',
  'Read from environment variables when a node starts. All other settings take effect immediately.':
    '节点启动时从环境变量读取；其他设置立即生效。',
  differs: '不一致',
} as const;
