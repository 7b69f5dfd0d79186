/** Errors about objects managed by a configuration file. */
export const managedErrors = {
  managedByFile: {
    status: 409,
    en: '{name} is managed by the configuration file: change it there',
    zh: '{name} 由配置文件管理，请在配置文件中修改',
  },
  fileBeingApplied: {
    status: 409,
    en: 'The configuration file is being applied. Nothing was changed; try again in a moment',
    zh: '正在应用配置文件，未作任何更改，请稍后重试',
  },
} as const;
