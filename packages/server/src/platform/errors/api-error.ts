import { fillTemplate } from '@headgate/contract';
import { commandLine } from './command-line.ts';
import { budgetErrors, paymentErrors, signInErrors, tokenErrors } from './messages/account-errors.ts';
import { alertErrors } from './messages/alert-errors.ts';
import { channelErrors, limitErrors, managedErrors, priceErrors } from './messages/catalog-errors.ts';
import { organizationErrors } from './messages/organization-errors.ts';
import { bulkErrors, payloadErrors, usageErrors } from './messages/record-errors.ts';

/**
 * All API errors, with status and message in both languages. Application errors return 200 with `success: false`, as
 * clients of this API expect.
 */
const apiErrors = {
  notSignedIn: { status: 401, en: 'Not logged in, or the session has expired', zh: '未登录或登录已过期' },
  notAllowed: { status: 403, en: 'You are not allowed to do this', zh: '无权进行此操作' },
  crossSite: { status: 403, en: 'Requests from other sites are rejected', zh: '拒绝来自其他站点的请求' },
  notByLink: {
    status: 403,
    en: 'This endpoint changes data and cannot be opened as a link or an image; use the console',
    zh: '此操作会修改数据，只能由控制台发起，不能通过链接或图片触发',
  },
  changedMeanwhile: {
    status: 412,
    en: 'This has been changed by someone else since you loaded it. Nothing was saved; reload and try again',
    zh: '该内容在您打开后已被他人修改，未保存任何更改，请刷新后重试',
  },
  ifMatchUnheeded: {
    status: 412,
    en: 'This endpoint does not support If-Match. Nothing was changed; remove the header',
    zh: '此接口不支持 If-Match，未作任何更改，请去掉该请求头',
  },
  badInput: { status: 400, en: 'Invalid parameter: {detail}', zh: '无效的参数：{detail}' },
  unknownPath: { status: 404, en: 'Invalid URL ({method} {path})', zh: '无效的地址（{method} {path}）' },
  internal: {
    status: 500,
    en: 'Internal error. Request id: {requestId}',
    zh: '服务器内部错误。请求编号：{requestId}',
  },
  databaseAway: {
    status: 503,
    en: 'The database is unreachable. Try again in {seconds} seconds',
    zh: '暂时无法连接数据库，请在 {seconds} 秒后重试',
  },
  databaseRejects: {
    status: 503,
    en: "The database rejects the gateway's login. The operator must check DATABASE_URL. Try again in {seconds} seconds",
    zh: '数据库拒绝了网关的登录，请管理员检查 DATABASE_URL，并在 {seconds} 秒后重试',
  },
  diskFull: {
    status: 503,
    en: 'The database disk is full. Nothing was changed. Try again in {seconds} seconds',
    zh: '数据库所在磁盘已满，未作任何更改，请在 {seconds} 秒后重试',
  },
  databaseReadOnly: {
    status: 503,
    en: 'The database is read-only. Nothing was changed. Try again in {seconds} seconds',
    zh: '数据库当前为只读，未作任何更改，请在 {seconds} 秒后重试',
  },
  databaseSlow: {
    status: 503,
    en: 'The database is too slow. Nothing was changed. Try again in {seconds} seconds',
    zh: '数据库当前响应过慢，未作任何更改，请在 {seconds} 秒后重试',
  },
  diskFails: {
    status: 503,
    en: 'The database disk is failing. Nothing was changed. Try again in {seconds} seconds',
    zh: '数据库所在磁盘出现故障，未作任何更改，请在 {seconds} 秒后重试',
  },
  passwordLoginOff: { status: 200, en: 'Password login is turned off', zh: '管理员关闭了密码登录' },
  wrongCredentials: {
    status: 200,
    en: 'Wrong username or password, or the account is banned',
    zh: '用户名或密码错误，或用户已被封禁',
  },
  defaultPasswordFromAfar: {
    status: 200,
    en: `The default password works only on the machine itself. Set another with "${commandLine('passwd')}" there, or with ROOT_PASSWORD before the first start.`,
    zh: `默认密码只能在本机使用。请在服务器上运行“${commandLine('passwd')}”，或在首次启动前设置 ROOT_PASSWORD。`,
  },
  tooManyRequests: {
    status: 429,
    en: 'Too many requests. Try again in {seconds} seconds',
    zh: '请求次数过多，请在 {seconds} 秒后重试',
  },
  ownExportRuns: {
    status: 429,
    en: 'You already have an export in progress. Try again when it has finished',
    zh: '您有一个导出正在进行，请在其结束后重试',
  },
  tooManyExports: {
    status: 429,
    en: 'Too many exports are in progress. Try again later',
    zh: '当前正在进行的导出过多，请稍后重试',
  },
  tooManyFailedLogins: {
    status: 429,
    en: 'Too many failed logins. Try again in {seconds} seconds',
    zh: '登录失败次数过多，请在 {seconds} 秒后重试',
  },
  unknownOption: { status: 200, en: 'There is no option named {key}', zh: '不存在名为 {key} 的选项' },
  optionInvalid: { status: 200, en: '{fault}', zh: '{fault}' },
  optionOfRoot: {
    status: 200,
    en: 'Only a super admin can change this setting: {setting}',
    zh: '只有超级管理员可以修改此设置：{setting}',
  },
  optionNeedsOthers: { status: 200, en: 'Fill in {settings} first', zh: '请先填写：{settings}' },
  optionIsNeeded: {
    status: 200,
    en: '{setting} cannot be empty while this is on: {switch}',
    zh: '“{switch}”已启用，{setting}不能为空',
  },
  optionForgetsSecret: {
    status: 200,
    en: 'Changing {setting} clears {secret}, which is required while this is on: {switch}. Turn it off first',
    zh: '修改{setting}会清除{secret}，而“{switch}”已启用且需要它。请先关闭该选项',
  },
  usernameTaken: { status: 200, en: 'This username is taken', zh: '该用户名已被占用' },
  usernameUnfit: {
    status: 200,
    en: 'A username may contain only visible characters of one script, single spaces inside, and no @',
    zh: '用户名只能包含同一种文字的可见字符，中间可有单个空格，且不能包含 @',
  },
  emailTaken: { status: 200, en: 'This email address is taken', zh: '邮箱地址已被占用' },
  unknownUser: { status: 200, en: 'User not found', zh: '用户不存在' },
  readEqualOrHigher: {
    status: 200,
    en: 'You cannot view users with the same or a higher role',
    zh: '无权获取同级或更高等级用户的信息',
  },
  editEqualOrHigher: {
    status: 200,
    en: 'You cannot change users with the same or a higher role',
    zh: '无权更新同权限等级或更高权限等级的用户信息',
  },
  deleteEqualOrHigher: {
    status: 200,
    en: 'You cannot delete users with the same or a higher role',
    zh: '无权删除同权限等级或更高权限等级的用户',
  },
  changeRoot: {
    status: 200,
    en: 'The role and status of a super admin cannot be changed',
    zh: '无法更改超级管理员的权限或状态',
  },
  disableRoot: { status: 200, en: 'A super admin cannot be banned', zh: '无法禁用超级管理员用户' },
  deleteRoot: { status: 200, en: 'A super admin cannot be deleted', zh: '无法删除超级管理员用户' },
  deleteOwnRoot: { status: 200, en: 'The super admin account cannot be deleted', zh: '不能删除超级管理员账户' },
  demoteRoot: { status: 200, en: 'A super admin cannot be demoted', zh: '无法降级超级管理员用户' },
  onlyRootPromotes: {
    status: 200,
    en: 'Only a super admin can make users admins',
    zh: '普通管理员用户无法提升其他用户为管理员',
  },
  alreadyAdmin: { status: 200, en: 'This user is already an admin', zh: '该用户已经是管理员' },
  alreadyCommon: { status: 200, en: 'This user is already a common user', zh: '该用户已经是普通用户' },
  quotaTooLarge: {
    status: 200,
    en: 'The quota of the user would exceed the maximum',
    zh: '该用户的额度将超出上限',
  },
  quotaChanged: {
    status: 200,
    en: 'The quota has changed from {was} to {now} since you opened this. Nothing was saved',
    zh: '您打开后额度已从 {was} 变为 {now}，未保存任何更改',
  },
  registrationOff: { status: 200, en: 'Registration is turned off', zh: '管理员关闭了新用户注册' },
  passwordRegistrationOff: {
    status: 200,
    en: 'Registration with a password is turned off; please log in with another provider',
    zh: '管理员关闭了通过密码进行注册，请使用第三方账户验证的形式进行注册',
  },
  emailAndCodeNeeded: {
    status: 200,
    en: 'Please enter your email address and the verification code',
    zh: '管理员开启了邮箱验证，请输入邮箱地址和验证码',
  },
  wrongEmailCode: {
    status: 200,
    en: 'The verification code is wrong or has expired',
    zh: '验证码错误或已过期',
  },
  mailNotSetUp: {
    status: 200,
    en: 'This gateway cannot send mail yet: its SMTP server and sender are not set',
    zh: '本站尚未配置邮件发送（SMTP 服务器与发件人）',
  },
  mailBusy: {
    status: 200,
    en: 'The mail queue is full; please try again later',
    zh: '等待发送的邮件过多，请稍后再试',
  },
  mailFailed: { status: 200, en: 'The mail could not be sent: {reason}', zh: '邮件发送失败：{reason}' },
  emailDomainNotAllowed: {
    status: 200,
    en: 'Email addresses at this domain are not allowed',
    zh: '管理员启用了邮箱域名白名单，您的邮箱地址的域名不在白名单中',
  },
  serverAddressNeeded: {
    status: 200,
    en: 'Passwords cannot be reset by mail yet: an admin has to set the server address first',
    zh: '暂时无法通过邮件重置密码：请管理员先设置服务器地址',
  },
  resetLinkInvalid: {
    status: 200,
    en: 'The reset link is not valid or has expired',
    zh: '重置链接非法或已过期',
  },
  ...signInErrors,
  ...payloadErrors,
  ...limitErrors,
  ...managedErrors,
  ...priceErrors,
  ...usageErrors,
  ...alertErrors,
  notFound: { status: 200, en: 'Not found', zh: '记录不存在' },
  ...tokenErrors,
  noRedemptionCode: { status: 200, en: 'No redemption code was given', zh: '未提供兑换码' },
  unknownRedemptionCode: { status: 200, en: 'This redemption code is not valid', zh: '兑换失败，无效的兑换码' },
  usedRedemptionCode: {
    status: 200,
    en: 'This redemption code has already been used',
    zh: '兑换失败，该兑换码已被使用',
  },
  expiredRedemptionCode: { status: 200, en: 'This redemption code has expired', zh: '兑换失败，该兑换码已过期' },
  ownRedemptionCodeUsed: {
    status: 200,
    en: 'You have already redeemed this code',
    zh: '兑换失败，您已兑换过该兑换码',
  },
  disabledRedemptionCode: { status: 200, en: 'This redemption code is disabled', zh: '兑换失败，该兑换码已被禁用' },
  redemptionIsUsed: {
    status: 200,
    en: 'A used redemption code cannot be changed',
    zh: '该兑换码已被使用，无法修改',
  },
  tooManyRedemptions: {
    status: 200,
    en: 'At most {limit} codes can be created at once',
    zh: '一次兑换码批量生成的个数不能大于 {limit}',
  },
  ...channelErrors,
  ...budgetErrors,
  ...organizationErrors,
  ...paymentErrors,
  tooManyViews: {
    status: 200,
    en: 'At most {max} views per list can be saved',
    zh: '每个列表最多保存 {max} 个视图',
  },
  ...bulkErrors,
  cleaningTimeRequired: { status: 200, en: 'A target timestamp is required', zh: '请指定目标时间' },
  alreadyCleaning: { status: 200, en: 'Logs are already being deleted', zh: '日志清理正在进行中' },
} as const satisfies Record<string, { status: number; en: string; zh: string }>;

export type ApiErrorCode = keyof typeof apiErrors;
/** Stable error codes that clients rely on; never rename them. */
export const apiErrorCodes = Object.keys(apiErrors) as readonly ApiErrorCode[];
export type Language = 'en' | 'zh';
/** Value for a placeholder in a message, in both languages if it is translated. */
export type ApiErrorValue = string | Readonly<Record<Language, string>>;

/** An error for the caller. Thrown where it is detected; only the HTTP layer turns it into a response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly status: number;
  readonly values: Readonly<Record<string, ApiErrorValue>>;

  constructor(code: ApiErrorCode, values: Readonly<Record<string, ApiErrorValue>> = {}) {
    super(apiErrors[code].en);
    this.code = code;
    this.status = apiErrors[code].status;
    this.values = values;
  }

  messageIn(language: Language): string {
    const sentence = apiErrors[this.code][language];
    const values = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
      const value = this.values[name] ?? '';
      return [name, typeof value === 'string' ? value : value[language]] as const;
    });
    return fillTemplate(sentence, Object.fromEntries(values));
  }
}
