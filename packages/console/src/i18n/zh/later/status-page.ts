/** Simplified Chinese for the public status page. */
export const statusPage = {
  'Model availability': '模型可用性',
  'All models operational': '所有模型均正常响应',
  'Problems with {n} of {all} models': '{all} 个模型中有 {n} 个存在问题',
  'The status page is turned off': '状态页未开启',
  'An admin can turn it on in the operation settings.': '管理员可在运营设置中开启。',
  'Status could not be loaded': '无法加载状态',
  'As of {time}. Invalid requests are not counted.': '截至 {time}。不计入无效请求。',
  'Last 24 hours': '最近 24 小时',
  'Last 90 days': '最近 90 天',
  Operational: '正常',
  Degraded: '部分异常',
  'Failing often': '经常失败',
  'No recent requests': '近期无请求',
  'no requests': '无请求',
  '{share} available': '可用性 {share}',
  'median {time}': '中位数 {time}',
  'first byte after {time}': '首字节 {time}',
  '{span}: {share} available, lowest {worst} ({when}); {n} of {all} without requests':
    '{span}：可用性 {share}，最低 {worst}（{when}）；{all} 个时段中有 {n} 个无请求',
  '{span}: no requests': '{span}：无请求',
  '{n} s': '{n} 秒',
} as const;
