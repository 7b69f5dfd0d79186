import { readFileSync } from 'node:fs';

const packageFile = new URL('../package.json', import.meta.url);

/** What this program calls itself. */
export const programVersion = (): string =>
  // trusted JSON: the package manifest of this program.
  (JSON.parse(readFileSync(packageFile, 'utf8')) as { readonly version: string }).version;
