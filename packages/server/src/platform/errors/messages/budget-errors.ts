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
} as const;
