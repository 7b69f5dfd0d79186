/** Usage types of a gateway. The console hides what a preset does not need. */
export const consolePresets = ['everything', 'personal', 'team', 'reseller'] as const;
export type ConsolePreset = (typeof consolePresets)[number];
