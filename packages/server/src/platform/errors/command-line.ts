/** Command prefix: `headgate audit --json`, or `npm run audit -- --json`. */
export interface CommandPrefix {
  readonly name: string;
  /** Text between a command and its arguments. */
  readonly separator: string;
}

export const packageCommandPrefix: CommandPrefix = { name: 'headgate', separator: ' ' };
export const npmCommandPrefix: CommandPrefix = { name: 'npm run', separator: ' -- ' };

/**
 * The package consists of `.js` files, including threads and workers; a checkout runs its sources, or a build as
 * `.mjs`.
 */
const caller: CommandPrefix = import.meta.url.endsWith('.js') ? packageCommandPrefix : npmCommandPrefix;

/** A command line as the operator would type it. */
export const commandLine = (name: string, given = ''): string =>
  `${caller.name} ${name}${given === '' ? '' : `${caller.separator}${given}`}`;
