/** Errors about budgets. */
export const budgetRefusals = {
  budgetExists: {
    status: 200,
    en: 'There is a budget for this period already: change that one',
    zh: '该周期的预算已存在，请直接修改',
  },
  budgetOwnerUnknown: {
    status: 200,
    en: 'There is no such token, user or group',
    zh: '令牌、用户或分组不存在',
  },
} as const;
