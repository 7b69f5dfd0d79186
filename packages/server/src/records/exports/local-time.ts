const secondsPerStretch = 900;
/** Largest time that a Date can represent, in seconds. */
const latestSecond = 8_640_000_000_000;
const twoDigits = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));

/**
 * Formats Unix seconds as YYYY-MM-DD HH:mm:ss in a time zone. UTC offsets change only at quarter hours, so the date
 * and hour are computed once per quarter hour; computing them takes longer than the rest of a row.
 */
export function localTimeFormatter(timeZone: string): (seconds: number) => string {
  const fields = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en', { ...fields, timeZone, hourCycle: 'h23' });
  let known = Number.NaN;
  let hour = '';
  let firstMinute = 0;
  return (seconds) => {
    if (Math.abs(seconds) > latestSecond) return String(seconds);
    const stretch = Math.floor(seconds / secondsPerStretch);
    if (stretch !== known) {
      const parts = format.formatToParts(stretch * secondsPerStretch * 1000).map(({ type, value }) => [type, value]);
      const { year, month, day, hour: hours, minute } = Object.fromEntries(parts) as Record<string, string>;
      known = stretch;
      hour = `${year}-${month}-${day} ${hours}:`;
      firstMinute = Number(minute);
    }
    const within = seconds - stretch * secondsPerStretch;
    return `${hour}${twoDigits[firstMinute + Math.floor(within / 60)]}:${twoDigits[within % 60]}`;
  };
}
