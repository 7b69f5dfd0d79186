const two = (value: number) => String(value).padStart(2, '0');

/** Seconds since 1970 as local YYYY-MM-DD HH:mm:ss. */
export function formatTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}
