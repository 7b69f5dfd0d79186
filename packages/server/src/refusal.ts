/**
 * Everything the API may refuse, with the status it answers and its words in both languages. Application failures
 * answer 200 with `success: false`: that is what clients of this API expect.
 */
const refusals = {
  notSignedIn: { status: 401, en: 'Not signed in, or the session has expired', zh: '未登录或登录已过期' },
  notAllowed: { status: 403, en: 'You are not allowed to do this', zh: '无权进行此操作' },
  crossSite: { status: 403, en: 'Requests from other sites are refused', zh: '拒绝来自其他站点的请求' },
  badInput: { status: 400, en: 'Invalid parameter: {detail}', zh: '无效的参数：{detail}' },
  unknownPath: { status: 404, en: 'Invalid URL ({method} {path})', zh: '无效的地址（{method} {path}）' },
  internal: {
    status: 500,
    en: 'Internal error. Request id: {requestId}',
    zh: '服务器内部错误。请求编号：{requestId}',
  },
  passwordLoginOff: { status: 200, en: 'Login with a password is turned off', zh: '管理员关闭了密码登录' },
  wrongCredentials: {
    status: 200,
    en: 'Wrong username or password, or the account is banned',
    zh: '用户名或密码错误，或用户已被封禁',
  },
  defaultPasswordFromAfar: {
    status: 200,
    en: 'The default password works only on the machine itself. Set another with "npm run passwd" there, or with ROOT_PASSWORD before the first start.',
    zh: '默认密码只能在本机使用。请在服务器上运行“npm run passwd”，或在首次启动前设置 ROOT_PASSWORD。',
  },
  usernameTaken: { status: 200, en: 'This username is taken', zh: '该用户名已被占用' },
} as const satisfies Record<string, { status: number; en: string; zh: string }>;

export type RefusalCode = keyof typeof refusals;
export type Language = 'en' | 'zh';

/** A no that the caller is told. Thrown where the fact is known; turned into a reply by the HTTP layer alone. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly status: number;
  readonly values: Readonly<Record<string, string>>;

  constructor(code: RefusalCode, values: Readonly<Record<string, string>> = {}) {
    super(refusals[code].en);
    this.code = code;
    this.status = refusals[code].status;
    this.values = values;
  }

  messageIn(language: Language): string {
    return refusals[this.code][language].replace(/\{(\w+)\}/g, (_, name: string) => this.values[name] ?? '');
  }
}
