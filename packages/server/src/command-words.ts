/** How commands are called: `headgate audit --json`, or `npm run audit -- --json`. */
export interface Caller {
  readonly name: string;
  /** Stands between a command and what is given to it. */
  readonly separator: string;
}

export const packageCaller: Caller = { name: 'headgate', separator: ' ' };
export const npmCaller: Caller = { name: 'npm run', separator: ' -- ' };

/** Whoever runs the sources has a checkout; the package is JavaScript, in its threads and workers as well. */
const caller: Caller = import.meta.url.endsWith('.ts') ? npmCaller : packageCaller;

/** A command as whoever reads this would type it. */
export const commandLine = (name: string, given = ''): string =>
  `${caller.name} ${name}${given === '' ? '' : `${caller.separator}${given}`}`;
