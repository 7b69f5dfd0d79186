/** Simplified Chinese for sign-in, registration and password reset. */
export const signIn = {
  or: '或',
  'Sign in with {provider}': '使用 {provider} 登录',
  'Sign in with a passkey': '使用通行密钥登录',
  'Sign in with SSO': '使用 SSO 登录',
  'You will sign in at the provider of your organization.': '您将在所属组织的登录服务中登录。',
  'Continue to sign in': '继续登录',
  'Link with SSO': '关联 SSO',
  'The organization of this provider can then sign in to your account {name}. Continue only if you trust it and want to sign in through it.':
    '关联后，此登录服务所属的组织可以登录您的账户 {name}。请仅在信任该组织并希望通过它登录时继续。',
  'Link to account {name}': '关联到账户 {name}',
} as const;
