/** Errors about rate limits. */
export const limitErrors = {
  tooManyLimits: { status: 200, en: 'The limit of {max} rules is reached', zh: '已有 {max} 条限制，无法再添加' },
  limitOfNobody: {
    status: 200,
    en: 'The user, token or channel of this limit does not exist',
    zh: '该限制所指的用户、令牌或渠道不存在',
  },
} as const;
