import type { LogEvent, logEvents } from './log-events.ts';

/** The sentences of the log in Simplified Chinese, by their English. */
export const logEventWords = {
  'New user gift: {amount}': '新用户赠送：{amount}',
  'Reward for using an invite code: {amount}': '使用邀请码奖励：{amount}',
  'Reward for inviting {user}: {amount}': '邀请 {user} 奖励：{amount}',
  'Redeemed a code worth {amount}': '通过兑换码充值 {amount}',
  '{admin} added {amount}': '{admin} 充值 {amount}',
  '{admin} added {amount}: {remark}': '{admin} 充值 {amount}：{remark}',
  '{admin} created user {user}': '{admin} 创建了用户 {user}',
  '{user} registered': '{user} 注册成功',
  '{user} registered with {provider}': '{user} 通过 {provider} 注册',
  '{user} bound {provider}': '{user} 绑定了 {provider}',
  '{user} turned on the second factor': '{user} 启用了两步验证',
  '{user} turned off the second factor': '{user} 关闭了两步验证',
  '{user} let mail and other providers open the super admin account':
    '{user} 允许通过邮件和第三方账户登录超级管理员账户',
  '{user} no longer lets mail and other providers open the super admin account':
    '{user} 不再允许通过邮件和第三方账户登录超级管理员账户',
  '{admin} reset the second factor of {user}': '{admin} 重置了 {user} 的两步验证',
  '{user} added the passkey {passkey}': '{user} 添加了通行密钥 {passkey}',
  '{user} removed the passkey {passkey}': '{user} 移除了通行密钥 {passkey}',
  '{user} unbound {provider}': '{user} 解除了 {provider} 的绑定',
  '{admin} changed the quota of {user} from {before} to {after}': '{admin} 将 {user} 的额度从 {before} 改为 {after}',
  '{admin} changed the group of {user} from {before} to {after}': '{admin} 将 {user} 的分组从 {before} 改为 {after}',
  '{admin} renamed {before} to {after}': '{admin} 将用户 {before} 改名为 {after}',
  '{admin} changed the display name of {user} from {before} to {after}':
    '{admin} 将 {user} 的显示名称从 {before} 改为 {after}',
  '{admin} set the password of {user}': '{admin} 修改了 {user} 的密码',
  '{user} set a new password through a mailed link': '{user} 通过邮件链接重置了密码',
  '{admin} made {user} an admin': '{admin} 将 {user} 提升为管理员',
  '{admin} made {user} a common user': '{admin} 将 {user} 降级为普通用户',
  '{admin} activated {user}': '{admin} 启用了 {user}',
  '{admin} banned {user}': '{admin} 封禁了 {user}',
  '{admin} deleted {user}': '{admin} 删除了用户 {user}',
  '{user} deleted the own account': '{user} 注销了自己的账户',
  '{admin} created channel {channel}': '{admin} 创建了渠道 {channel}',
  '{admin} changed channel {channel}: {fields}': '{admin} 修改了渠道 {channel}：{fields}',
  '{admin} deleted channel {channel}': '{admin} 删除了渠道 {channel}',
  '{admin} deleted {count} disabled channels': '{admin} 删除了 {count} 个已禁用的渠道',
  '{admin} created {count} codes named {name} worth {amount} each':
    '{admin} 创建了 {count} 个名为 {name} 的兑换码，每个价值 {amount}',
  '{admin} changed code {id}: {fields}': '{admin} 修改了兑换码 {id}：{fields}',
  '{admin} deleted code {id}': '{admin} 删除了兑换码 {id}',
  '{admin} changed {key} from {before} to {after}': '{admin} 将 {key} 从 {before} 改为 {after}',
  '{admin} changed {key}': '{admin} 修改了 {key}',
  '{admin} deleted {count} logs before {time}': '{admin} 删除了 {time} 之前的 {count} 条日志',
} as const satisfies Readonly<Record<(typeof logEvents)[LogEvent], string>>;
