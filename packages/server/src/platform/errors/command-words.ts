/** How commands are called: `headgate audit --json`, or `npm run audit -- --json`. */
export interface Caller {
  readonly name: string;
  /** Stands between a command and what is given to it. */
  readonly separator: string;
}

export const packageCaller: Caller = { name: 'headgate', separator: ' ' };
export const npmCaller: Caller = { name: 'npm run', separator: ' -- ' };

/** The package is made of `.js`, in its threads and workers as well; a checkout runs its sources, or what was built of them as `.mjs`. */
const caller: Caller = import.meta.url.endsWith('.js') ? packageCaller : npmCaller;

/** A command as whoever reads this would type it. */
export const commandLine = (name: string, given = ''): string =>
  `${caller.name} ${name}${given === '' ? '' : `${caller.separator}${given}`}`;
