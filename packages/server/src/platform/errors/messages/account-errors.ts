/** Errors about sign-in: passwords, bot checks, codes, proofs, passkeys and identity providers. */
export const signInErrors = {
  passwordTooLong: {
    status: 400,
    en: 'Invalid parameter: password: at most {max} characters',
    zh: '无效的参数：password：最多 {max} 个字符',
  },
  botCheckFailed: {
    status: 200,
    en: 'The bot check failed; please reload the page and try again',
    zh: 'Turnstile 校验失败，请刷新重试！',
  },
  botCheckNeeded: {
    status: 200,
    en: 'Several logins have failed; please complete the bot check and log in again',
    zh: '登录失败次数较多，请先通过人机验证再登录',
  },
  wrongSecondFactor: {
    status: 200,
    en: 'The code is wrong, has expired or was used already',
    zh: '验证码错误、已过期或已被使用',
  },
  secondFactorIsOn: {
    status: 200,
    en: 'Two-step login is already on; turn it off first',
    zh: '两步验证已启用，请先关闭',
  },
  secondFactorIsOff: { status: 200, en: 'Two-step login is not on', zh: '尚未启用两步验证' },
  nothingToReset: {
    status: 200,
    en: 'This user has neither two-step login nor passkeys',
    zh: '该用户既未启用两步验证，也没有通行密钥',
  },
  secondFactorRequired: {
    status: 403,
    en: 'Admins must use a second factor. Set it up in your personal settings first',
    zh: '管理员须启用两步验证：请先在个人设置中完成设置',
  },
  proofNeeded: {
    status: 200,
    en: 'You logged in a while ago; please confirm your identity or log in again',
    zh: '距上次登录已有一段时间，请先验证身份或重新登录',
  },
  notByAccessToken: {
    status: 403,
    en: 'This is not possible with an access token; log in instead',
    zh: '系统访问令牌不能进行此操作，请登录后再操作',
  },
  outOfScope: {
    status: 403,
    en: 'The scope of this access token does not cover this endpoint',
    zh: '此访问令牌的权限范围不包含此操作',
  },
  tooManyAccessTokens: {
    status: 200,
    en: 'You have reached the limit of {limit} access tokens',
    zh: '访问令牌数量已达上限（{limit} 个）',
  },
  rootSignsInHere: {
    status: 200,
    en: 'The super admin must log in with the password or a passkey; other methods must first be allowed in the personal settings',
    zh: '超级管理员请使用密码或通行密钥登录；其他登录方式须先在个人设置中允许',
  },
  wrongPassword: { status: 200, en: 'The password is wrong', zh: '密码错误' },
  passkeyRejected: {
    status: 200,
    en: 'This passkey was not accepted; please try again or log in another way',
    zh: '通行密钥未被接受，请重试或使用其他方式登录',
  },
  tooManyPasskeys: {
    status: 200,
    en: 'You have reached the limit of {limit} passkeys',
    zh: '通行密钥数量已达上限（{limit} 个）',
  },
  providerOff: {
    status: 200,
    en: 'Login with {provider} is turned off',
    zh: '管理员未开启通过 {provider} 登录以及注册',
  },
  providerUnreachable: {
    status: 200,
    en: 'Cannot connect to {provider}; please try again later',
    zh: '无法连接至 {provider} 服务器，请稍后重试！',
  },
  providerUnreadable: {
    status: 200,
    en: 'The response from {provider} could not be read; please try again later',
    zh: '{provider} 返回值非法，请稍后重试！',
  },
  providerUntrusted: {
    status: 200,
    en: 'The response from {provider} was rejected: {reason}',
    zh: '{provider} 的响应被拒绝：{reason}',
  },
  providerRejected: {
    status: 200,
    en: '{provider} did not accept this login; please start again',
    zh: '{provider} 未接受此次登录，请重新开始',
  },
  signInStateInvalid: {
    status: 403,
    en: 'This login was not started in this browser or took too long; please start again',
    zh: '此次登录并非由本浏览器发起或已过期，请重新开始',
  },
  signInAddressNeeded: {
    status: 200,
    en: 'This login method is not available yet: an admin has to set the server address first',
    zh: '暂时无法以此方式登录：请管理员先设置服务器地址',
  },
  identityTaken: {
    status: 200,
    en: 'This {provider} account is already bound to another user',
    zh: '该 {provider} 账户已被绑定',
  },
  userBanned: { status: 200, en: 'This user is banned', zh: '用户已被封禁' },
  notBound: { status: 200, en: 'No account of this kind is bound to your account', zh: '尚未绑定此类账户' },
  lastWayIn: {
    status: 200,
    en: 'This is the only way to log in to your account; set a password or bind another account first',
    zh: '这是登录该账户的唯一方式，请先设置密码或绑定其他账户',
  },
} as const;

/** Errors about budgets. */
export const budgetErrors = {
  budgetExists: {
    status: 200,
    en: 'A budget for this period already exists; edit that one',
    zh: '该周期的预算已存在，请直接修改',
  },
  budgetOwnerUnknown: {
    status: 200,
    en: 'Token, user or group not found',
    zh: '令牌、用户或分组不存在',
  },
  tooManyTagBudgets: {
    status: 200,
    en: 'The limit of {max} tag budgets is reached',
    zh: '标签预算已达 {max} 条上限，无法再添加',
  },
} as const;

/** Errors about API tokens. */
export const tokenErrors = {
  badSubnet: {
    status: 200,
    en: 'Invalid network: {part}. Enter IP addresses or ranges such as 10.0.0.0/8, separated by commas',
    zh: '参数错误：无效的网段：{part}。请填写 IP 地址或网段（如 10.0.0.0/8），以逗号分隔',
  },
  groupNotYours: {
    status: 200,
    en: 'You are not in group {group}',
    zh: '您不在分组 {group} 中',
  },
  unknownScope: { status: 200, en: 'Unknown value: {name}', zh: '未知的值：{name}' },
  expiryInPast: { status: 200, en: 'The expiry time is in the past', zh: '过期时间不能早于当前时间' },
  tokenExpired: {
    status: 200,
    en: 'The token has expired and cannot be enabled; first change its expiry time or let it never expire',
    zh: '令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期',
  },
  tokenExhausted: {
    status: 200,
    en: 'The quota of the token is used up and it cannot be enabled; first change its remaining quota or make it unlimited',
    zh: '令牌可用额度已用尽，无法启用，请先修改令牌剩余额度，或者设置为无限额度',
  },
  tokenLocked: {
    status: 200,
    en: 'An admin disabled this token{reason}. Only an admin can enable it',
    zh: '管理员已禁用此令牌{reason}。只有管理员可以启用',
  },
  userTokensLocked: {
    status: 200,
    en: 'An admin disabled your tokens. Only an admin can create or enable tokens for you',
    zh: '管理员已禁用您的令牌。只有管理员可以为您创建或启用令牌',
  },
  tooManyTokens: {
    status: 200,
    en: 'You have reached the limit of {limit} tokens',
    zh: '令牌数量已达上限（{limit} 个）',
  },
} as const;

/** Errors about orders and payments. */
export const paymentErrors = {
  paymentProviderOff: {
    status: 200,
    en: 'This payment provider is not available',
    zh: '此支付方式不可用',
  },
  paymentProviderFailed: {
    status: 200,
    en: 'The payment provider did not respond as expected. Try again later',
    zh: '支付服务商未正常响应，请稍后重试',
  },
  paymentAddressNeeded: {
    status: 200,
    en: 'Payments are not available yet: an admin has to set the server address first',
    zh: '暂时无法支付：请管理员先设置服务器地址',
  },
  tooManyOpenOrders: {
    status: 200,
    en: 'You have {limit} unpaid orders. Pay one of them or wait until they expire',
    zh: '您有 {limit} 个未支付的订单，请先支付或等待其过期',
  },
  checkInOff: { status: 200, en: 'Daily check-ins are not available', zh: '每日签到未开启' },
  checkInEmailNeeded: {
    status: 200,
    en: 'Bind an email address in your settings to check in',
    zh: '请先在设置中绑定邮箱后再签到',
  },
  alreadyCheckedIn: { status: 200, en: 'You have already checked in today', zh: '您今天已签到' },
  payoutsOff: { status: 200, en: 'Payouts are not available', zh: '未开放提现' },
  payoutTooSmall: { status: 200, en: 'The minimum payout is {amount}', zh: '最低提现额度为 {amount}' },
  referralSharesTooSmall: {
    status: 200,
    en: 'The amount exceeds your available referral shares',
    zh: '超出可用返利额度',
  },
  payoutClosed: { status: 200, en: 'This payout has already been paid or rejected', zh: '该提现已支付或已拒绝' },
  planExists: { status: 200, en: 'A plan with this name already exists', zh: '已存在同名套餐' },
  planNotForSale: { status: 200, en: 'This plan is not for sale', zh: '此套餐暂不出售' },
  planLimitReached: {
    status: 200,
    en: 'The maximum number of plans of this kind per user is {limit}',
    zh: '每位用户最多可持有 {limit} 个此套餐',
  },
  planNotFound: { status: 200, en: 'This plan no longer exists', zh: '此套餐已不存在' },
  planCodeOfUsers: {
    status: 200,
    en: 'Plan codes can only be redeemed by users, not organizations',
    zh: '套餐兑换码只能由用户兑换，组织不能使用',
  },
  planRenews: {
    status: 200,
    en: 'This plan renews automatically. Cancel the renewal first',
    zh: '此套餐会自动续费，请先取消续费',
  },
  planDoesNotRenew: { status: 200, en: 'This plan has no renewal that can be changed', zh: '此套餐没有可更改的续费' },
  planUnreadable: {
    status: 200,
    en: 'The stored windows of this plan are unreadable. Edit the plan and save its windows again',
    zh: '此套餐保存的额度窗口无法读取，请编辑套餐并重新保存窗口',
  },
  planEnded: { status: 200, en: 'This plan has already ended', zh: '此套餐已结束' },
  orderNotPaid: { status: 200, en: 'This order is not paid', zh: '此订单未支付' },
} as const;
