/** Simplified Chinese for forms and their dialogs. */
export const forms = {
  'Line {line}: {reason}': '第 {line} 行：{reason}',
  'Enter points or dollars': '请输入点数或美元',
  'Add {amount}': '增加 {amount}',
  'Invalid quota': '额度无效',
  '“{text}” exceeds the maximum quota': '“{text}” 超出了额度上限',
  '“{text}” is not a number. Enter an amount such as 1500 or 2.5.': '“{text}” 不是数字。请输入金额，例如 1500 或 2.5。',
  '“{text}” could mean {small} or {large}. Enter {small} or {plain}.':
    '“{text}” 可能表示 {small} 或 {large}。请输入 {small} 或 {plain}。',
  'Worth {amount}': '价值 {amount}',
  'The quota has changed': '额度已发生变化',
  'The quota is now {now}; it was {was} when you opened this form. Nothing has been saved yet.':
    '额度现为 {now}，打开表单时为 {was}。尚未保存任何内容。',
  'Keep {now} and save the rest': '保留 {now}，保存其余内容',
  'Set to {wanted}': '设为 {wanted}',
} as const;
