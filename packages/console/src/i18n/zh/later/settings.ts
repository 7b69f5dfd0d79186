/** Simplified Chinese for system and operation settings. */
export const settings = {
  'Only a super admin can change this setting.': '只有超级管理员可以修改此设置。',
  'Operation settings': '运营设置',
  'System settings': '系统设置',
  'Other settings': '其他设置',
  General: '通用',
  'Login and registration': '登录与注册',
  'Email domain whitelist': '邮箱域名白名单',
  SMTP: 'SMTP',
  'GitHub OAuth app': 'GitHub OAuth 应用',
  'WeChat server': '微信服务器',
  Payments: '支付',
  'Dollars of quota that users can buy, each with an optional bonus.': '用户可购买的额度（美元），可附带赠送比例。',
  'While you rotate the secret, enter both, separated by a comma. Webhook URL: /api/payment/callback/stripe on the server address.':
    '更换密钥期间可同时填写两个，以逗号分隔。Webhook 地址：服务器地址加 /api/payment/callback/stripe。',
  'Company name on receipts.': '显示在收据上的公司名称。',
  'Prices include this tax. Receipts show net, tax and gross amounts.': '价格已含此税。收据显示净额、税额和含税总额。',
  'Numbers credited orders consecutively.': '为每笔已入账的订单分配连续编号。',
  'Refunds of orders with an invoice create credit notes. Numbering starts at 1 for each prefix.':
    '已开发票的订单退款时会生成贷项通知单。每个前缀的编号均从 1 开始。',
  'Numbering starts at 1 for each prefix.': '每个前缀从 1 开始编号。',
  'In the Stripe currency.': '以 Stripe 货币计价。',
  'Folder that contains submit.php. Notification URL: /api/payment/callback/epay on the server address.':
    'submit.php 所在的目录。通知地址：服务器地址加 /api/payment/callback/epay。',
  'Leave empty to let users choose on the Epay page.': '留空则由用户在易支付页面选择。',
  'In yuan.': '以人民币元计价。',
  Personalization: '个性化',
  Content: '内容',
  'For new passwords, in characters. The minimum is 8.': '适用于新密码，按字符计，最少 8 个字符。',
  'Public URL of this gateway, used in links, emails and login redirects.':
    '本网关的公开地址，用于链接、邮件和登录跳转。',
  'Leave empty to use the SMTP account.': '留空则使用 SMTP 账户。',
  'Page where users buy redemption codes.': '用户购买兑换码的页面。',
  'Chat web app embedded in the Chat page.': '嵌入到聊天页面的聊天应用。',
  '0 means no limit.': '0 表示不限制。',
  'Lowering it keeps existing tokens but blocks new ones.': '调低后已有令牌保留，但不能再新建。',
  "JSON object that maps model names or patterns to hours with a price multiplier. You can also edit these hours in each model's price.":
    '由模型名称或模式和带价格倍率的时段组成的 JSON 对象。请在模型价格中编辑。',
  'For example service_tier, tools or web_search_options. You pay any extra provider charges.':
    '例如 service_tier、tools 或 web_search_options。服务商的额外收费由您承担。',
  "Reserved when a request sets no max tokens, capped at the user's balance. Lower it if your models never produce this many tokens.":
    '请求未设置最大 token 数时按此预留额度，以用户余额为限。若模型输出不会这么长，可调低。',
  "Published prices: models.dev, LiteLLM's price map, or /api/pricing of another gateway.":
    '公开的价格表：models.dev、LiteLLM 价格表或其他网关的 /api/pricing。',
  'Applies small price changes from the price list, but never changes prices that an admin set. 0 turns updates off.':
    '自动采用价格表中的小幅变动，但不会修改管理员设置的价格。0 表示不更新。',
  'Larger changes, new prices and prices of 0 wait for an admin on the Prices page.':
    '更大的变动、新价格以及免费的价格需要管理员在价格页确认。',
  'Retries per 100 requests. Beyond this, failed requests are not retried; 20 retries per model per minute are always allowed.':
    '每百个请求的重试上限。超过后失败的请求不再重试；每个模型每分钟始终允许 20 次重试。',
  'Responses without text, tool calls, images, audio or reasoning cost nothing, and the next channel is tried.':
    '没有文本、工具调用、图像、音频或推理的响应不收费，并尝试下一个渠道。',
  'Accepts model names with a reasoning suffix, such as gpt-5-high or claude-sonnet-4-5-thinking. The base model serves them at its price.':
    '将 gpt-5-high、claude-sonnet-4-5-thinking 等名称交由基础模型处理，按基础模型计价。',
  'Model lists include the suffixed names of reasoning models, if the suffixes are on.':
    '启用推理后缀后，在模型列表中为支持推理的模型列出这些名称。',
  'JSON object of tags and lists of rules, applied before the rules of each channel. Edit them in Channels by tag.':
    '由标签和规则列表组成的 JSON 对象，先于各渠道自身的规则应用。可在“按标签分组的渠道”中编辑。',
  'Number of other channels to try when one fails. 0 turns retries off.':
    '一个渠道失败后再尝试的渠道数。0 表示不重试。',
  'Channel tests disable slower channels while automatic disabling is on.':
    '启用自动禁用后，渠道测试会禁用响应更慢的渠道。',
  'Gives up on a channel that sends nothing for this long. A non-streaming response sends its first byte when it is complete.':
    '渠道在此时间内没有任何响应即放弃。非流式响应在生成完毕后才返回首字节。',
  'Ends a response that pauses for this long. Channels can override both timeouts.':
    '响应中断超过此时间即终止。渠道可单独设置这两个超时。',
  'Users are emailed once when their quota falls below this. 0 turns reminders off.':
    '额度低于该值时，用户会收到一封邮件。0 表示不提醒。',
  'Markdown or HTML, shown once to each visitor.': '支持 Markdown 或 HTML，每位访客显示一次。',
  'Markdown, HTML, or an https:// URL to embed.': '支持 Markdown、HTML，或填写 https:// 地址以嵌入网页。',
  'Unsaved changes': '未保存的修改',
  '{count} unsaved changes': '{count} 项修改未保存',
  Discard: '放弃',
  'Save changes': '保存修改',
  'Personal settings': '个人设置',
  'The settings could not be loaded': '设置加载失败',
  'Turn off password login?': '关闭密码登录？',
  'Cancelling password login locks out every user, admins included, who has no other login method bound.':
    '取消密码登录将导致所有未绑定其他登录方式的用户（包括管理员）无法登录。',
  'Turn off': '关闭',
  'Follow system': '跟随系统',
  Light: '浅色',
  Dark: '深色',
  'Press Enter to add': '按回车添加',
  'A value is stored and never shown. Enter a new one to replace it.': '已保存，不会显示。输入新值以替换。',
  'Not set': '尚未设置',
  'Enter it again: the stored value is cleared when the address changes.':
    '请重新输入：地址变更后，已保存的值会被清除。',
  View: '视图',
  'The JSON is invalid. Fix it first.': 'JSON 无效，请先修正。',
  'Filter or new name': '筛选或输入新名称',
  Ratio: '倍率',
  'Per 1M tokens': '每百万 token',
  'Ratio of {name}': '{name} 的倍率',
  '{shown} of {count}': '{shown} / {count}',
  'Delete old logs?': '删除旧日志？',
  'All logs before {time} are deleted. This cannot be undone.': '将删除 {time} 之前的所有日志，且无法撤销。',
  'Delete logs': '删除日志',
  'Delete logs before': '删除此时间之前的日志',
  'Invalid time': '时间格式错误',
  'Clean logs': '清理日志',
  '{n} logs cleaned': '{n} 条日志已清理！',
  'Log cleanup failed: {message}': '日志清理失败：{message}',
  'Already latest version': '已是最新版本',
  'Check for updates': '检查更新',
  'New version: {version}': '新版本：{version}',
  'For example 3 of 5 (requests) or 3 in 10m (minutes). 0 means never. Applies while automatic disabling is on.':
    '例如 3 of 5（最近 5 次请求中 3 次）或 3 in 10m（10 分钟内 3 次）。0 表示从不。仅在自动禁用开启时有效。',
  'Same format as above.': '格式同上。',
  'Pauses only this model on the channel until a test passes. It stays in use if no other channel offers it.':
    '仅暂停该渠道的此模型，直到测试通过。若没有其他渠道提供，仍会继续使用。',
  'Counts server errors, timeouts and invalid responses. Pauses the whole channel if none of its models respond.':
    '统计服务器错误、超时和无效响应。若该渠道的模型均无响应，则暂停整个渠道。',
  'Test email sent to {address}': '测试邮件已发送至 {address}',
  'Test email recipient': '测试邮件收件人',
  'Uses the saved settings.': '使用已保存的设置发送。',
  'Send test email': '发送测试邮件',
  'URL of the issuer or its discovery document. Redirect URI: /oauth/oidc on the server address.':
    '签发者或其发现文档的地址。回调地址为服务器地址下的 /oauth/oidc。',
  'Callback URL of the app: /oauth/github on the server address.': '应用的回调地址为服务器地址下的 /oauth/github。',
  'Redirect URL of the app: /oauth/lark on the server address.': '应用的重定向地址为服务器地址下的 /oauth/lark。',
  'Reject requests': '拒绝请求',
  'Charge $60 per million tokens': '按每百万 token 60 美元计费',
  'Requests for models without a price are rejected or charged $60 per million tokens. Set prices on the Prices page.':
    '对未定价模型的请求会被拒绝，或按每百万 token 60 美元计费。请在价格页面设置价格。',
  'Shows model availability and speed to everyone at /status, without channels or request counts.':
    '在 /status 向所有人公开各模型的可用性与速度，不显示渠道和请求数量。',
  Table: '表格',
  'Who can turn on payload logging for tokens and users. Payloads are stored encrypted; request logging must be on.':
    '谁可以为令牌和用户开启内容记录。内容加密保存；需同时记录请求日志。',
  'Stores responses encrypted so that Responses API clients can continue conversations on channels without native support. Lowering it deletes older responses. 0 stores none.':
    '加密保存响应，使 Responses API 客户端可在不原生支持的渠道上继续对话。调低会删除更早的响应。0 表示不保存。',
  'When exceeded, the least recently used responses of the user are deleted.': '超出后删除该用户最久未使用的响应。',
  'When full, the least recently used responses are deleted within a minute; until then new ones are not stored.':
    '用满后一分钟内删除最久未使用的响应；在此之前不再保存新的响应。',
  'When full, new payloads are not stored until older ones expire.': '用满后，在旧内容到期之前不再保存新内容。',
  Admins: '管理员',
  'Admins and token owners': '管理员和令牌所有者',
  'All topics': '全部分类',
  Topics: '分类',
  'Search settings': '搜索设置',
  'Set prices in dollars on the Prices page': '在价格页以美元设置价格',
  'Advanced: ratios as JSON': '高级：JSON 倍率',
  Personal: '个人',
  Team: '团队',
  Reseller: '分销',
  'Hides pages and settings that you do not need. Links and search still open them.':
    '隐藏不适用的页面和设置，仍可通过链接和搜索打开。',
  'Keys of the tags that clients and API tokens may set on requests. end_user records the user in the request body. Empty: requests have no tags.':
    '客户端和令牌可为请求设置的标签键。end_user 记录请求体中的用户。留空则请求没有标签。',
  'Nothing found': '没有找到',
  'Users can add a random amount of quota once per day (UTC) on the Top-up page.':
    '用户每天（UTC）可在充值页面签到一次，领取随机额度。',
  'Percentage of the quota bought by invited users, excluding bonuses, that their inviter receives. 0 means none.':
    '邀请人按受邀用户购买额度（不含赠送）获得的返利比例，0 表示无。',
  'Added to the percentage of each order. A share never exceeds the bought quota.':
    '在比例之外，每笔订单另加的返利；返利不超过所购额度。',
  'Refunds and disputes during this time reduce the share.': '等待期内的退款和争议会相应减少返利。',
  'Users can request payouts of at least this amount. 0 means no payouts.':
    '用户可申请提现的最低额度，0 表示不开放提现。',
} as const;
