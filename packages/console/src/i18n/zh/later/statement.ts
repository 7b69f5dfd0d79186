/** Simplified Chinese for the monthly statement. */
export const statement = {
  Statement: '账单',
  'Statement {month}': '{month} 账单',
  'The statement could not be loaded': '无法加载账单',
  'Print or save as PDF': '打印或存为 PDF',
  'Opening balance': '期初余额',
  'Closing balance': '期末余额',
  'Charged to plans': '套餐支付',
  Credit: '入账',
  Credits: '入账',
  'Amount (US dollars)': '金额（美元）',
  'Amount (points)': '金额（点数）',
  'No top-ups, gifts or edits in this period': '此期间没有充值、赠送或调整',
  'not recorded': '未记录',
  'Amounts of some older edits are not recorded and not part of the total.': '部分较早的调整没有记录金额，未计入合计。',
  Description: '说明',
} as const;
