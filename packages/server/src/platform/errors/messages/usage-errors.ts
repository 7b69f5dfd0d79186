/** Errors about usage. */
export const usageErrors = {
  noStatusPage: { status: 404, en: 'This gateway has no status page', zh: '此网关未开放状态页' },
  usageAxesAlike: {
    status: 200,
    en: 'Rows and columns must differ, and only one of them can be a time',
    zh: '行与列不能相同，且只能有一个为时间',
  },
  usageTimeBackwards: { status: 200, en: 'The end time is before the start time', zh: '结束时间早于开始时间' },
  usageTooFine: {
    status: 200,
    en: 'Too much data for one response. Choose a shorter time range or a larger interval',
    zh: '一次查询的数据过多，请缩短时间或选择更粗的粒度',
  },
} as const;
