/** Simplified Chinese for redemption code pages. */
export const redemptions = {
  'Create codes': '生成兑换码',
  'Save code': '保存兑换码',
  Count: '生成数量',
  'Number of codes to create.': '要生成的兑换码个数。',
  'Max uses': '最多使用次数',
  'Number of users who can redeem a code, once each.': '可兑换此码的用户数，每个用户限一次。',
  'Redemption created': '兑换码创建成功！',
  'Redemption updated': '兑换码更新成功！',
  'This code has been used': '该兑换码已被使用',
  'It was redeemed at {time} and can no longer be changed.': '已于 {time} 兑换，不能再修改。',
  '{count} codes created, worth {amount} each. Downloaded as {file}.':
    '已生成 {count} 个兑换码，每个价值 {amount}，已下载为 {file}。',
  'Copy all': '全部复制',
  'Download again': '重新下载',
  'View user who redeemed it': '查看兑换的用户',
} as const;
