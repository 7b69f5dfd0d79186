/** Simplified Chinese for forms and their dialogs. */
export const forms = {
  'Conflicting changes': '修改冲突',
  'Someone else changed it after you opened it.': '打开之后已被他人修改。',
  'Your changes are not saved yet. Overwrite to replace the other changes with yours, or reload to discard yours and see the saved version.':
    '您的修改尚未保存。“覆盖”会用您的修改替换他人的修改；“重新加载”会放弃您的修改并显示已保存的内容。',
  Overwrite: '覆盖',
  'Keep editing': '继续编辑',
  Reload: '重新加载',
} as const;
