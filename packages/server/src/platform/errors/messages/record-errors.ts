/** Errors about usage. */
export const usageErrors = {
  noStatusPage: { status: 404, en: 'This gateway has no status page', zh: '此网关未开放状态页' },
  usageAxesAlike: {
    status: 200,
    en: 'Rows and columns must differ, and only one of them can be a time',
    zh: '行与列不能相同，且只能有一个为时间',
  },
  usageTagMissing: { status: 200, en: 'Choose a tag key', zh: '请选择标签键' },
  usageTimeBackwards: { status: 200, en: 'The end time is before the start time', zh: '结束时间早于开始时间' },
  usageTooFine: {
    status: 200,
    en: 'Too much data for one response. Choose a shorter time range or a larger interval',
    zh: '一次查询的数据过多，请缩短时间或选择更粗的粒度',
  },
} as const;

/** Errors about payload logging. */
export const payloadErrors = {
  keepingOff: {
    status: 200,
    en: 'Payload logging is turned off on this gateway',
    zh: '此网关未开启内容记录',
  },
  keepingByAdminsOnly: {
    status: 200,
    en: 'Only an admin can turn on payload logging',
    zh: '只有管理员可以开启内容记录',
  },
  keepingOfAdmin: {
    status: 200,
    en: 'An admin has set this; only an admin can change it',
    zh: '该设置由管理员作出，只有管理员可以修改',
  },
  tooManyKeepings: {
    status: 200,
    en: 'The limit of {max} payload logging settings is reached',
    zh: '内容记录设置已达上限（{max} 个）',
  },
  bodyNotKept: {
    status: 200,
    en: 'The payload of this request is not stored or has been deleted',
    zh: '此请求的内容未被记录，或已被删除',
  },
  bodyDamaged: {
    status: 200,
    en: 'The stored payload cannot be decrypted: it was changed in the database or encrypted with another key',
    zh: '无法解密已记录的内容：它在数据库中被修改过，或使用了其他密钥加密',
  },
} as const;

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
