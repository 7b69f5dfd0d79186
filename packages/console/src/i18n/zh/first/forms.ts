/** Simplified Chinese for forms and their dialogs. */
export const forms = {
  'In US dollars': '以美元为单位',
  'In points, or in dollars with a $': '以点数为单位；加 $ 表示美元',
  'US dollars': '美元',
  '= {points} points': '= {points} 点',
  '= {amount}': '= {amount}',
} as const;
