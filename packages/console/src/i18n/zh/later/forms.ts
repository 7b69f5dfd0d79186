/** Simplified Chinese for forms and their dialogs. */
export const forms = {
  Access: '访问权限',
  'Conflicting changes': '修改冲突',
  'Someone else changed it after you opened it.': '打开之后已被他人修改。',
  'Your changes are not saved yet. Overwrite to replace the other changes with yours, or reload to discard yours and see the saved version.':
    '您的修改尚未保存。“覆盖”会用您的修改替换他人的修改；“重新加载”会放弃您的修改并显示已保存的内容。',
  Overwrite: '覆盖',
  Reload: '重新加载',
  'Line {line}: {reason}': '第 {line} 行：{reason}',
  'Add {amount}': '增加 {amount}',
  'Invalid quota': '额度无效',
  '“{text}” exceeds the maximum quota': '“{text}” 超出了额度上限',
  '“{text}” is not a number. Enter an amount such as 1500 or 2.5.': '“{text}” 不是数字。请输入金额，例如 1500 或 2.5。',
  '“{text}” could mean {small} or {large}. Enter {small} or {plain}.':
    '“{text}” 可能表示 {small} 或 {large}。请输入 {small} 或 {plain}。',
  '“{text}” is less than one point. Enter a larger amount.': '“{text}” 不足一点，请输入更大的金额。',
  'Enter an amount above 0': '请输入大于 0 的金额',
  'No limit': '不限',
  'Leave a field empty for no limit.': '留空表示不限制。',
  'Spend per day': '每日消费上限',
  'Spend per month': '每月消费上限',
  'The quota has changed': '额度已发生变化',
  'The quota is now {now}; it was {was} when you opened this form. Nothing has been saved yet.':
    '额度现为 {now}，打开表单时为 {was}。尚未保存任何内容。',
  'Keep {now} and save the rest': '保留 {now}，保存其余内容',
  'Set to {wanted}': '设为 {wanted}',
} as const;
