/** Errors about rate limits. */
export const limitErrors = {
  tooManyLimits: { status: 200, en: 'The limit of {max} rules is reached', zh: '已有 {max} 条限制，无法再添加' },
  policyRejected: { status: 200, en: '{field}: {fault}', zh: '{field}：{fault}' },
  limitsByAdminsOnly: {
    status: 200,
    en: 'Only an admin with a higher role can change this limit',
    zh: '只有更高权限等级的管理员可以修改此限制',
  },
  limitOfNobody: {
    status: 200,
    en: 'The user, token or channel of this limit does not exist',
    zh: '该限制所指的用户、令牌或渠道不存在',
  },
} as const;

/** Errors about prices. */
export const priceErrors = {
  priceImplausible: {
    status: 200,
    en: '{model}: {part} at {price} is {times} times the known price of {known}. This looks like a mistake',
    zh: '{model}：{part} 价格 {price} 是已知价格 {known} 的 {times} 倍，应当有误',
  },
  priceOfNothing: {
    status: 200,
    en: '{model}: {part} cannot have a price while {whole} is free',
    zh: '{model}：{whole} 免费时，{part} 不能有价格',
  },
  priceUnnameable: {
    status: 200,
    en: '{model} cannot have a price: the name is not allowed',
    zh: '{model} 无法设置价格：不允许使用该名称',
  },
  priceListUnavailable: {
    status: 200,
    en: 'The price list could not be read: {reason}. Check the URL and try again',
    zh: '无法读取价格表：{reason}。请检查地址后重试',
  },
  priceListUnknown: {
    status: 200,
    en: "The response is not a known price list. Use models.dev, LiteLLM's price map, or /api/pricing of a gateway",
    zh: '响应不是已知的价格表。请使用 models.dev、LiteLLM 价格表或其他网关的 /api/pricing',
  },
  priceTwice: { status: 200, en: '{model} is in the list twice', zh: '{model} 在列表中出现了两次' },
} as const;

/** Errors about objects managed by a configuration file. */
export const managedErrors = {
  managedByFile: {
    status: 409,
    en: '{name} is managed by the configuration file: change it there',
    zh: '{name} 由配置文件管理，请在配置文件中修改',
  },
  fileBeingApplied: {
    status: 409,
    en: 'The configuration file is being applied. Nothing was changed; try again in a few seconds',
    zh: '正在应用配置文件，未作任何更改，请稍后重试',
  },
} as const;

/** Errors about channels. */
export const channelErrors = {
  channelNameOrKeyMissing: {
    status: 200,
    en: 'please fill in the channel name and key',
    zh: '请填写渠道名称和渠道密钥！',
  },
  channelTypeUnknown: { status: 200, en: 'Unknown channel type {type}', zh: '不存在编号为 {type} 的渠道类型' },
  channelModelsMissing: { status: 200, en: 'please select at least one model', zh: '请至少选择一个模型！' },
  channelGroupMissing: { status: 200, en: 'please select at least one group', zh: '请至少选择一个分组！' },
  channelFieldMissing: { status: 200, en: 'please fill in: {field}', zh: '请填写：{field}' },
  channelKeyPlaceInvalid: {
    status: 200,
    en: 'The key location must be a header name, or ? followed by a query parameter name; leave it empty for Authorization',
    zh: '密钥位置必须是请求头名称，或以 ? 开头的查询参数名；留空则使用 Authorization',
  },
  channelLimitInvalid: {
    status: 200,
    en: '{field}: must be a whole number from {min} to {max}, or empty',
    zh: '{field}：须为 {min} 到 {max} 的整数，或留空',
  },
  modelMappingInvalid: {
    status: 200,
    en: 'model mapping must be valid JSON',
    zh: '模型映射必须是合法的 JSON 格式！',
  },
  modelMappingOdd: {
    status: 200,
    en: 'model mapping must be an object that maps model names to model names',
    zh: '模型映射必须是将模型名映射到模型名的 JSON 对象',
  },
  channelConfigInvalid: {
    status: 200,
    en: 'config must be a JSON object whose values are strings',
    zh: 'config 必须是值均为字符串的 JSON 对象',
  },
  channelUnreadable: {
    status: 409,
    en: 'The stored key, settings, rules or model mapping of channel #{id} cannot be read. Enter them again, or delete the channel',
    zh: '渠道 #{id} 已保存的密钥、设置、规则或模型映射无法读取。请重新填写，或删除该渠道',
  },
  channelProxyInvalid: {
    status: 200,
    en: 'The outbound proxy must be a URL such as socks5://user@host:1080 with the scheme http, https, socks5 or socks5h. A password needs a username',
    zh: '出站代理必须是类似 socks5://user@host:1080 的 URL，协议为 http、https、socks5 或 socks5h；有密码时须有用户名',
  },
  baseUrlInvalid: {
    status: 200,
    en: 'The base URL must start with http:// or https:// and contain no user, query or fragment',
    zh: 'Base URL 必须以 http:// 或 https:// 开头，且不能包含用户信息、查询参数或片段',
  },
  baseUrlForbidden: {
    status: 200,
    en: 'The base URL must not point to a link-local or metadata address',
    zh: 'Base URL 不能指向链路本地地址或云元数据地址',
  },
  controlCharacters: {
    status: 200,
    en: '{field} must not contain line breaks or control characters',
    zh: '{field} 不能包含换行符或控制字符',
  },
  listedNameTooLong: {
    status: 200,
    en: '{field}: a name may have at most {max} characters',
    zh: '{field}：单个名称不能超过 {max} 个字符',
  },
  tooManyChannelKeys: {
    status: 200,
    en: 'At most {max} keys can be added at once',
    zh: '一次最多添加 {max} 个密钥',
  },
  tooManyAbilities: {
    status: 200,
    en: 'Too many models and groups at once: keys × models × groups may be at most {max}',
    zh: '模型与分组过多：密钥数 × 模型数 × 分组数不能超过 {max}',
  },
  testingUnavailable: {
    status: 200,
    en: 'Channels of this type cannot be tested yet',
    zh: '暂不支持测试此类型的渠道',
  },
  channelTestFailed: { status: 200, en: 'The test failed: {reason}', zh: '测试失败：{reason}' },
  routingRuleExists: {
    status: 200,
    en: 'A rule for this group and model already exists',
    zh: '该分组和模型已有一条规则',
  },
  modelAliasExists: { status: 200, en: 'This alias already exists', zh: '该别名已存在' },
  tooManyRoutingRules: {
    status: 200,
    en: 'The limit of {limit} is reached',
    zh: '已达到上限 {limit} 条',
  },
  testRunning: { status: 200, en: 'A test is already running', zh: '测试已在运行中' },
  balanceUnsupported: {
    status: 200,
    en: 'The balance of this channel type cannot be read',
    zh: '该渠道类型不支持查询余额',
  },
  upstreamRefused: {
    status: 200,
    en: 'The provider responded: {reason}',
    zh: '服务商返回：{reason}',
  },
  keyNeeded: {
    status: 200,
    en: 'Enter the key again: the stored one is not sent to another address',
    zh: '请重新输入密钥：已保存的密钥不会发送到其他地址',
  },
  severalKeysUnavailable: {
    status: 200,
    en: 'The key of this channel type consists of several fields; create one channel per key',
    zh: '该渠道类型的密钥由多个字段组成：请为每个密钥创建一个渠道',
  },
  tooManyKeysOfChannel: {
    status: 200,
    en: 'A channel can have at most {max} keys',
    zh: '每个渠道最多有 {max} 个密钥',
  },
  lastKeyStays: {
    status: 200,
    en: 'A channel needs at least one key',
    zh: '渠道至少需要一个密钥',
  },
  modelsUnlisted: {
    status: 200,
    en: 'Providers of this type do not support listing their models',
    zh: '该渠道类型不支持获取模型列表',
  },
  previewRejected: {
    status: 200,
    en: 'The request would be rejected: {reason}',
    zh: '请求会被拒绝：{reason}',
  },
  channelRuleValueMissing: {
    status: 200,
    en: 'Enter the secret header values of the rule "{name}" again',
    zh: '请重新输入规则“{name}”的机密请求头值',
  },
  channelRulesInvalid: {
    status: 200,
    en: 'The rules are invalid at {place}: {problem}',
    zh: '规则在 {place} 处无效：{problem}',
  },
  channelPurchaseInvalid: {
    status: 200,
    en: 'The purchase price must be a multiplier from 0 to 1000 and dollars from 0 to 100000; if the input is free, the rest must be free too',
    zh: '采购价格必须是 0 到 1000 的倍数，以及 0 到 100000 的美元金额；输入免费时其余也必须免费',
  },
} as const;
