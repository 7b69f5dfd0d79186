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
  '{admin} changed channel {channel}, with others: {changes}': '{admin} 批量修改了渠道 {channel}：{changes}',
  '{admin} took back the change of channel {channel}: {changes}': '{admin} 撤销了对渠道 {channel} 的修改：{changes}',
  '{admin} took {amount} from {user}: {remark}': '{admin} 从 {user} 扣除 {amount}：{remark}',
  '{admin} disabled all tokens of {user}': '{admin} 禁用了 {user} 的全部令牌',
  '{admin} disabled {count} tokens of {user}': '{admin} 禁用了 {user} 的 {count} 个令牌',
  '{admin} bound token {token} of {user} to channels {channels} and tags {tags}':
    '{admin} 将 {user} 的令牌 {token} 绑定到渠道 {channels} 和标签 {tags}',
  '{admin} unbound token {token} of {user} from channels': '{admin} 解除了 {user} 的令牌 {token} 的渠道绑定',
  '{admin} signed {user} out everywhere': '{admin} 让 {user} 在所有设备上退出登录',
  '{admin} deleted channel {channel}': '{admin} 删除了渠道 {channel}',
  '{admin} deleted {count} disabled channels': '{admin} 删除了 {count} 个已禁用的渠道',
  'Channel {channel} was disabled automatically: {reason}': '渠道 {channel} 已被自动禁用：{reason}',
  'Channel {channel} answers again and was enabled automatically': '渠道 {channel} 恢复响应，已自动启用',
  'Channel {channel} was disabled: none of its keys is enabled': '渠道 {channel} 已被禁用：没有启用的密钥',
  'Channel {channel} was enabled again with one of its keys': '渠道 {channel} 的一个密钥已启用，渠道随之恢复启用',
  '{admin} added {count} keys to channel {channel}: {keys}': '{admin} 为渠道 {channel} 添加了 {count} 个密钥：{keys}',
  '{admin} changed {count} keys of channel {channel}: {changes}':
    '{admin} 修改了渠道 {channel} 的 {count} 个密钥：{changes}',
  '{admin} removed {count} keys of channel {channel}: {keys}': '{admin} 移除了渠道 {channel} 的 {count} 个密钥：{keys}',
  'Key {key} of channel {channel} was disabled automatically: {reason}':
    '渠道 {channel} 的密钥 {key} 已被自动禁用：{reason}',
  'Key {key} of channel {channel} answers again and was enabled automatically':
    '渠道 {channel} 的密钥 {key} 恢复响应，已自动启用',
  'Model {model} was paused on channel {channel}: {reason}; it is tested again in {minutes} min':
    '渠道 {channel} 的模型 {model} 已暂停：{reason}；{minutes} 分钟后重新测试',
  'Channel {channel} was paused: {reason}; it is tested again in {minutes} min':
    '渠道 {channel} 已暂停：{reason}；{minutes} 分钟后重新测试',
  'Model {model} still fails on channel {channel}: {reason}; it is tested again in {minutes} min':
    '渠道 {channel} 的模型 {model} 仍然失败：{reason}；{minutes} 分钟后重新测试',
  'Channel {channel} still fails: {reason}; it is tested again in {minutes} min':
    '渠道 {channel} 仍然失败：{reason}；{minutes} 分钟后重新测试',
  'Model {model} answers again on channel {channel} and is used again':
    '渠道 {channel} 的模型 {model} 恢复响应，已重新使用',
  'Model {model} on channel {channel} answers no question; requests try it again':
    '渠道 {channel} 的模型 {model} 无法通过提问测试，已由请求重新尝试',
  'Channel {channel} answers again and is used again': '渠道 {channel} 恢复响应，已重新使用',
  '{admin} ended the pause of model {model} on channel {channel}': '{admin} 结束了渠道 {channel} 的模型 {model} 的暂停',
  '{admin} ended the pause of channel {channel}': '{admin} 结束了渠道 {channel} 的暂停',
  '{user} set a budget for {owner}: {after}': '{user} 为 {owner} 设置了预算：{after}',
  '{user} changed the budget of {owner} from {before} to {after}': '{user} 将 {owner} 的预算由 {before} 改为 {after}',
  '{user} deleted the budget of {owner}: {before}': '{user} 删除了 {owner} 的预算：{before}',
  '{user} began a new period of the budget of {owner}, of which {before} was used':
    '{user} 重置了 {owner} 的预算周期，此前已用 {before}',
  '{percent} % of the budget of {owner} is used: {used} of {budget}':
    '{owner} 的预算已用 {percent}%：{used} / {budget}',
  '{admin} created {count} codes named {name} worth {amount} each':
    '{admin} 创建了 {count} 个名为 {name} 的兑换码，每个价值 {amount}',
  '{admin} changed code {id}: {fields}': '{admin} 修改了兑换码 {id}：{fields}',
  '{admin} deleted code {id}': '{admin} 删除了兑换码 {id}',
  '{admin} created limit {id}: {limit}': '{admin} 创建了限制 {id}：{limit}',
  '{admin} changed limit {id}: {fields}': '{admin} 修改了限制 {id}：{fields}',
  '{admin} deleted limit {id}: {limit}': '{admin} 删除了限制 {id}：{limit}',
  '{admin} made a routing rule for {subject}: {fields}': '{admin} 为 {subject} 创建了路由规则：{fields}',
  '{admin} changed the routing rule for {subject}: {fields}': '{admin} 修改了 {subject} 的路由规则：{fields}',
  '{admin} deleted the routing rule for {subject}: {fields}': '{admin} 删除了 {subject} 的路由规则：{fields}',
  '{admin} made {model} the model behind the name {name}': '{admin} 将名称 {name} 指向模型 {model}',
  '{admin} changed the name {name}: {fields}': '{admin} 修改了名称 {name}：{fields}',
  '{admin} took away the name {name} of the model {model}': '{admin} 删除了模型 {model} 的名称 {name}',
  '{admin} changed {key} from {before} to {after}': '{admin} 将 {key} 从 {before} 改为 {after}',
  '{admin} set {key} to {after}': '{admin} 将 {key} 设为 {after}',
  '{admin} emptied {key}, which was {before}': '{admin} 清空了 {key}，原值为 {before}',
  '{admin} changed {key}': '{admin} 修改了 {key}',
  '{admin} added {receiver} as a receiver of alerts': '{admin} 添加了告警接收方 {receiver}',
  '{admin} changed {receiver}, which receives alerts': '{admin} 修改了告警接收方 {receiver}',
  '{admin} deleted {receiver}, which received alerts': '{admin} 删除了告警接收方 {receiver}',
  '{admin} added a rule of alerts: {rule}': '{admin} 添加了告警规则：{rule}',
  '{admin} changed a rule of alerts: {rule}': '{admin} 修改了告警规则：{rule}',
  '{admin} deleted a rule of alerts: {rule}': '{admin} 删除了告警规则：{rule}',
  '{admin} deleted {count} logs before {time}': '{admin} 删除了 {time} 之前的 {count} 条日志',
} as const satisfies Readonly<Record<(typeof logEvents)[LogEvent], string>>;
