/** The first that fits names the program: most pretend to be several. */
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

/** "Firefox, Linux" of what a browser says of itself; the first word of other programs. */
export function browserName(userAgent: string): string {
  const browser = firstOf(browsers, userAgent);
  if (browser === undefined) return userAgent.split(/[\s/]/)[0]?.slice(0, 40) ?? '';
  return [browser, firstOf(systems, userAgent)].filter(Boolean).join(', ');
}
