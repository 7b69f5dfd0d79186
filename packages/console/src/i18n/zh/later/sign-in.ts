/** Simplified Chinese for sign-in, registration and password reset. */
export const signIn = {
  or: '或',
  'Log in with {provider}': '使用 {provider} 登录',
  'Log in with a passkey': '使用通行密钥登录',
  'Log in with SSO': '使用 SSO 登录',
  'You will log in to {organization} with {provider}.': '您将使用 {provider} 登录 {organization}。',
  'This login provider does not exist or is disabled.': '该登录服务不存在或已停用。',
  'Gateway admins cannot log in through the provider of an organization. Log out to use another account.':
    '网关管理员不能通过组织的登录服务登录。请退出登录后使用其他账户。',
  'Email or organization name': '邮箱或组织名称',
  'No login provider found. Enter your work email or the exact name of your organization.':
    '未找到登录服务。请输入您的工作邮箱或组织的完整名称。',
  'Select a provider': '请选择登录服务',
  'Continue to log in': '继续登录',
  'Link with SSO': '关联 SSO',
  'Organization {organization} can then log in to your account {name} with {provider}. Continue only if you trust it and want to log in through it.':
    '关联后，组织 {organization} 可以通过 {provider} 登录您的账户 {name}。请仅在信任该组织并希望通过它登录时继续。',
  'Link to account {name}': '关联到账户 {name}',
} as const;
