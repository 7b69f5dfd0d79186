/** Ordered: the first match wins, because most user agents name several browsers. */
const browsers: readonly (readonly [string, RegExp])[] = [
  ['Edge', /Edg(e|A|iOS)?\//],
  ['Opera', /OPR\/|Opera/],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Safari\//],
];

const systems: readonly (readonly [string, RegExp])[] = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X|Macintosh/],
  ['Linux', /Linux/],
];

const firstOf = (table: typeof browsers, text: string) => table.find(([, pattern]) => pattern.test(text))?.[0];

/** Browser and system of a user agent, such as "Firefox, Linux"; the first word for other programs. */
export function browserName(userAgent: string): string {
  const browser = firstOf(browsers, userAgent);
  if (browser === undefined) return userAgent.split(/[\s/]/)[0]?.slice(0, 40) ?? '';
  return [browser, firstOf(systems, userAgent)].filter(Boolean).join(', ');
}
