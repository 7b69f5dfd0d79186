/** Errors about bulk changes. */
export const bulkErrors = {
  bulkCountChanged: {
    status: 200,
    en: '{now} instead of {expected} rows match now. Nothing was changed',
    zh: '现有 {now} 条匹配项，而不是 {expected} 条；未做任何更改',
  },
  bulkOtherThanSeen: {
    status: 200,
    en: 'The data has changed since the preview. Nothing was changed; preview again',
    zh: '预览之后数据已有变动，请重新预览；未做任何更改',
  },
  tooManyBulkRows: {
    status: 200,
    en: 'At most {max} rows can be changed at once',
    zh: '一次最多更改 {max} 条',
  },
  quotaBelowZero: {
    status: 200,
    en: 'The remaining quota is lower than the amount to deduct',
    zh: '剩余额度不足以扣除',
  },
  undoGone: {
    status: 200,
    en: 'This can no longer be undone: it was already undone or is older than a day',
    zh: '无法撤销：已撤销过，或已超过一天',
  },
  undoTooLate: {
    status: 200,
    en: 'Not undone: some rows have changed since ({count}), including {names}',
    zh: '未撤销：其中 {count} 条之后又被更改，包括 {names}',
  },
} as const;
