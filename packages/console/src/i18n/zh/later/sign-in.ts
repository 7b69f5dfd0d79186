/** Simplified Chinese for sign-in, registration and password reset. */
export const signIn = {
  or: '或',
  'Sign in with {provider}': '使用 {provider} 登录',
  'Sign in with a passkey': '使用通行密钥登录',
} as const;
