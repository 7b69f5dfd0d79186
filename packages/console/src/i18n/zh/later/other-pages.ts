/** Simplified Chinese for the about, chat and top-up pages. */
export const otherPages = {
  '{product} relays requests to many AI model providers and tracks the quota each request uses.':
    '{product} 将请求转发给众多 AI 模型服务商，并统计每个请求消耗的额度。',
  'Version {version}. You can edit this page in the settings.': '版本 {version}。可在设置中编辑本页内容。',
  'Paste a redemption code to add its quota to your account.': '粘贴兑换码，将其额度计入您的账户。',
  'Please enter top-up code': '请输入充值码！',
  Redeem: '兑换',
  'Redeeming…': '兑换中…',
  'Get a code': '获取兑换码',
  'The super admin has not set a top-up link': '超级管理员未设置充值链接！',
  'The top-up link is not a valid URL. Contact an admin.': '充值链接不是有效的地址，请联系管理员。',
  'Top-up successful': '充值成功！',
  'Request failed': '请求失败',
  '{amount} added': '已充值 {amount}',
  'Chat is not configured': '尚未配置聊天',
  'An admin can set a chat link in the operation settings.': '管理员可在运营设置中填写聊天链接。',
} as const;
