/** First second of a UTC day such as 2026-01-31; undefined for anything else. */
export function parseDay(day: string): number | undefined {
  const milliseconds = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
}
