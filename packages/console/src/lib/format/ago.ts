import type { Translate } from '../../i18n/translate.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Relative time, such as "5 minutes ago". */
export function relativeTime(t: Translate, seconds: number, now = Date.now() / 1000): string {
  const passed = now - seconds;
  if (passed < minute) return t('just now');
  if (passed < hour) return t('{n} min ago', { n: Math.floor(passed / minute) });
  if (passed < day) return t('{n} h ago', { n: Math.floor(passed / hour) });
  return t('{n} d ago', { n: Math.floor(passed / day) });
}
