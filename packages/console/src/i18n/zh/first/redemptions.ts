/** Simplified Chinese for redemption code pages. */
export const redemptions = {
  Uses: '使用次数',
  '{used} of {max}': '{used} / {max}',
  'Delete {count} codes': '删除 {count} 个兑换码',
  'Change {count} codes': '更改 {count} 个兑换码',
  'Add codes': '添加兑换码',
  'No redemption codes yet': '还没有兑换码',
  'Search by ID and name': '按 ID 和名称搜索',
  'Not redeemed yet': '尚未兑换',
  'Delete redemption code {name}?': '删除兑换码 {name}？',
  'The user keeps the redeemed quota. This cannot be undone.': '用户仍保留已兑换的额度，且此操作无法撤销。',
  'The code can no longer be redeemed. This cannot be undone.': '此兑换码将无法再兑换，且无法撤销。',
  'Delete code': '删除兑换码',
} as const;
