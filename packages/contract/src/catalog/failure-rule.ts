/** Failures after which the monitor acts: among the last requests, or within a number of seconds. */
export type FailureRule =
  | { readonly failures: number; readonly requests: number }
  | { readonly failures: number; readonly seconds: number };

/** Number of results stored per channel or model. */
export const maxFailureRuleResults = 100;
const maxWindowSeconds = 86_400;
const secondsIn: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** Parses "3 of 5" or "3 in 10m". Returns undefined for "0", which means never, and null for invalid text. */
export function readFailureRule(text: string): FailureRule | undefined | null {
  const message = text.trim();
  if (message === '0') return undefined;
  const [, many = '', way, size = '', unit = 's'] = /^(\d{1,3}) +(of|in) +(\d{1,5})([smh])?$/.exec(message) ?? [];
  const failures = Number(many);
  const amount = Number(size);
  if (failures < 1 || failures > maxFailureRuleResults) return null;
  if (way === 'of') {
    const isRight = amount >= failures && amount <= maxFailureRuleResults && !/[smh]$/.test(message);
    return isRight ? { failures, requests: amount } : null;
  }
  const seconds = amount * (secondsIn[unit] ?? 1);
  return way === 'in' && seconds >= 1 && seconds <= maxWindowSeconds ? { failures, seconds } : null;
}
