export interface CommandOption {
  readonly does: string;
  /** Placeholder of its value in the help; without one it is a flag. */
  readonly value?: string;
  readonly isRequired?: boolean;
}

export interface Command {
  /** Description in the list of commands. */
  readonly does: string;
  /** Positional argument, as shown in the help. */
  readonly argument?: { readonly name: string; readonly does: string };
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** When it exits with 1, unless only on failure. */
  readonly failsWhen?: string;
  /** When it exits with 2 despite valid arguments. */
  readonly endsWithTwoWhen?: string;
}

/**
 * Operator commands: `headgate <command>` in the package, `npm run <command> -- …` in a checkout. Help, shell
 * completion and argument checks are derived from this table.
 */
export const productCommands = {
  start: { does: 'serves the console, the API and the relay; settings come from the environment and from ./.env' },
  passwd: {
    does: 'sets the password of a user and ends their sessions',
    argument: { name: 'username', does: 'whose password; root unless told otherwise' },
  },
  audit: {
    does: 'checks that the quota of every user adds up, and changes nothing',
    options: { database: { value: 'file or address', does: 'of this database instead of the configured one' } },
    failsWhen: 'the books do not balance',
  },
  import: {
    does: 'brings users, tokens, channels and settings from One API or new-api',
    options: {
      from: {
        value: 'file or address',
        does: 'the SQLite file or the database server to read; - to type or pipe it in; IMPORT_FROM unless told',
      },
      'dry-run': { does: 'only says what would come' },
      'logs-since': { value: 'day', does: 'logs as well, from this day of UTC on, such as 2026-01-01' },
      as: { value: 'name', does: 'what the source is called in later runs' },
    },
  },
  export: {
    does: 'puts all of this gateway into one file, which a passphrase seals',
    options: {
      to: { value: 'file', does: 'the file to write', isRequired: true },
      'logs-since': { value: 'day', does: 'logs only from this day of UTC on, such as 2026-01-01' },
      'without-logs': { does: 'no logs at all' },
    },
  },
  restore: {
    does: 'brings a file of export into an empty gateway, on either database',
    options: {
      from: { value: 'file', does: 'the file to read', isRequired: true },
      check: { does: 'only reads it through and says whether it is whole' },
    },
  },
  backup: {
    does: 'copies the database as it is at one moment, while the gateway runs',
    options: { to: { value: 'folder', does: 'where the copy goes', isRequired: true } },
  },
  plan: {
    does: 'says what a configuration file would change, and changes nothing',
    options: {
      file: { value: 'file', does: 'the file; CONFIG_FILE or ./headgate.yaml unless told otherwise' },
      prune: { does: 'also what would be deleted because it has left the file' },
    },
    endsWithTwoWhen: 'something differs from the file',
  },
  apply: {
    does: 'makes the gateway what a configuration file says',
    options: {
      file: { value: 'file', does: 'the file; CONFIG_FILE or ./headgate.yaml unless told otherwise' },
      prune: { does: 'deletes what the file once managed and no longer names' },
    },
  },
  schema: { does: 'prints the JSON schema of configuration files, for editors' },
  'dump-config': {
    does: 'writes the present configuration as a configuration file, with variables in place of secrets',
    options: {
      to: { value: 'file', does: 'the file to write; one that is there is left alone', isRequired: true },
      users: { does: 'also the users, without passwords and quota' },
    },
  },
  demo: {
    does: 'a gateway with sample channels, people and traffic that is thrown away at the end',
    options: { port: { value: 'number', does: 'where it listens; 3000 unless told otherwise' } },
  },
  doctor: {
    does: 'checks settings, database, disk, clock, port and channels, and says what to do',
    options: { json: { does: 'as one JSON document' } },
    failsWhen: 'something must be mended before the gateway can serve',
  },
} as const satisfies Readonly<Record<string, Command>>;

export type ProductCommand = keyof typeof productCommands;
