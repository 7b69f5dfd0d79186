/** Command prefix: `headgate audit --json`, or `npm run audit -- --json`. */
export interface CommandCaller {
  readonly name: string;
  /** Text between a command and its arguments. */
  readonly separator: string;
}

export const packageCaller: CommandCaller = { name: 'headgate', separator: ' ' };
export const npmCaller: CommandCaller = { name: 'npm run', separator: ' -- ' };

/**
 * The package consists of `.js` files, including threads and workers; a checkout runs its sources, or a build as
 * `.mjs`.
 */
const caller: CommandCaller = import.meta.url.endsWith('.js') ? packageCaller : npmCaller;

/** A command line as the operator would type it. */
export const commandLine = (name: string, given = ''): string =>
  `${caller.name} ${name}${given === '' ? '' : `${caller.separator}${given}`}`;
