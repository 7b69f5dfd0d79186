/** Rows of the refusals that are about what a configuration file manages. */
export const managedRefusals = {
  managedByFile: {
    status: 409,
    en: '{name} is managed by the configuration file: change it there',
    zh: '{name} 由配置文件管理，请在配置文件中修改',
  },
} as const;
