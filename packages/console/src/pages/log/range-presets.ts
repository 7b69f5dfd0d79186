import type { TextKey } from '../../i18n/translate.ts';

interface Preset {
  readonly words: TextKey;
  readonly seconds: number;
}

/** Ranges that end now, in seconds. */
export const presets: readonly Preset[] = [
  { words: 'Last 15 minutes', seconds: 900 },
  { words: 'Last hour', seconds: 3600 },
  { words: 'Last 24 hours', seconds: 86_400 },
  { words: 'Last 7 days', seconds: 7 * 86_400 },
  { words: 'Last 30 days', seconds: 30 * 86_400 },
];
