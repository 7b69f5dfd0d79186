import type { TextKey } from '../../i18n/translate.ts';

interface Preset {
  readonly label: TextKey;
  readonly seconds: number;
}

/** Ranges that end now, in seconds. */
export const presets: readonly Preset[] = [
  { label: 'Last 15 minutes', seconds: 900 },
  { label: 'Last hour', seconds: 3600 },
  { label: 'Last 24 hours', seconds: 86_400 },
  { label: 'Last 7 days', seconds: 7 * 86_400 },
  { label: 'Last 30 days', seconds: 30 * 86_400 },
];

/** Presets with their own button next to the calendar. */
export const shortcuts: readonly Preset[] = [
  { label: '24 hours', seconds: 86_400 },
  { label: '7 days', seconds: 7 * 86_400 },
  { label: '30 days', seconds: 30 * 86_400 },
];

/** Tolerance for the age of a preset, because a preset is stored as its start. */
const toleranceShare = 0.1;

interface Range {
  readonly start: number;
  readonly end: number | undefined;
}

/** The preset that created a range, if its start still matches. */
export function presetOf({ start, end }: Range, choices: readonly Preset[]): Preset | undefined {
  const age = Date.now() / 1000 - start;
  return end === undefined
    ? choices.find(({ seconds }) => Math.abs(age - seconds) < seconds * toleranceShare)
    : undefined;
}

/** A range that ends now. */
export const lastSeconds = (seconds: number): Range => ({
  start: Math.floor(Date.now() / 1000) - seconds,
  end: undefined,
});
