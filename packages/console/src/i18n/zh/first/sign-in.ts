/** Simplified Chinese for sign-in, registration and password reset. */
export const signIn = {
  'Log in to your account': '登录您的账户',
  'Username or email': '用户名或邮箱',
  'Please change the default password immediately!': '请立刻修改默认密码！',
  'Not logged in or login expired, please log in again!': '未登录或登录已过期，请重新登录！',
  'Create an account': '创建账户',
  'Already have an account?': '已有账户？',
  'Forgot your password?': '忘记密码？',
  'The two passwords entered do not match': '两次输入的密码不一致',
  'At most {max} characters': '最长 {max} 位',
  '{min} to {max} characters': '{min} 到 {max} 位',
  'Repeat password': '确认密码',
  'Registration successful!': '注册成功！',
  'Send reset email': '发送重置邮件',
  'Reset email sent': '重置邮件发送成功',
  'If an account uses this address, a reset link has been sent. The link works once and expires after 10 minutes.':
    '如果该邮箱已注册，重置链接将很快送达。链接仅可使用一次，10 分钟内有效。',
  'Reset password': '重置密码',
  'Password reset done': '密码重置完成',
  'New password copied to clipboard': '新密码已复制到剪贴板',
  'This link is incomplete. Open it from the email again or request a new one.':
    '链接不完整，请重新从邮件中打开，或重新申请。',
  'Back to login': '返回登录',
  'Change it after you log in. Your API tokens still work; if they may have leaked, disable them on the Tokens page.':
    '登录后请修改密码。API 令牌仍可继续使用；如可能已泄露，请在令牌页面将其禁用。',
  'A new password is generated and shown to you. You are logged out on all devices; your API tokens still work.':
    '系统将生成新密码并显示给您。您将在所有设备上退出登录；API 令牌仍可继续使用。',
  'Logging in…': '正在登录…',
  'No response yet. Retrying ({count})…': '暂无响应，正在重试（第 {count} 次）…',
  'You will be redirected automatically.': '页面将自动跳转。',
  'operation failed, redirecting to login': '操作失败，正在跳转到登录页面',
  'Bound successfully': '绑定成功！',
} as const;
