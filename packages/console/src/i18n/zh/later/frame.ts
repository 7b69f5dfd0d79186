/** Simplified Chinese for the menu, header and command palette. */
export const frame = {
  'Search or run a command': '搜索或执行命令',
  'Search pages, channels, users, tokens, models…': '搜索页面、渠道、用户、令牌、模型…',
  'Keyboard shortcuts': '键盘快捷键',
  'Search this page': '搜索本页',
  'Close a dialog': '关闭对话框',
  Pages: '页面',
  Results: '结果',
  'No results found': '没有找到',
  select: '选择',
  'Spend of {name} this month': '{name} 本月消费',
  'Disable all tokens of {name}': '禁用 {name} 的全部令牌',
  'All channels: {name}': '全部渠道：{name}',
  'Priority of all channels: {name}': '修改全部渠道的优先级：{name}',
  'Models of all channels: {name}': '修改全部渠道的模型：{name}',
} as const;
