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
  start: { does: 'serves the console, the API and the relay; reads settings from the environment and ./.env' },
  passwd: {
    does: 'sets the password of a user and ends their sessions',
    argument: { name: 'username', does: 'user name; default: root' },
  },
  audit: {
    does: 'checks that the ledger of every user is balanced; changes nothing',
    options: { database: { value: 'file or address', does: 'checks this database instead of the configured one' } },
    failsWhen: 'the ledger is not balanced',
  },
  import: {
    does: 'imports users, tokens, channels and settings from One API or new-api',
    options: {
      from: {
        value: 'file or address',
        does: 'SQLite file or database URL to read; - reads it from stdin; default: IMPORT_FROM',
      },
      'dry-run': { does: 'only reports what would be imported' },
      'logs-since': { value: 'day', does: 'also imports logs from this UTC date on, such as 2026-01-01' },
      as: { value: 'name', does: 'name of the source in later runs' },
    },
  },
  export: {
    does: 'exports the whole gateway to one encrypted file',
    options: {
      to: { value: 'file', does: 'the file to write', isRequired: true },
      'logs-since': { value: 'day', does: 'exports logs only from this UTC date on, such as 2026-01-01' },
      'without-logs': { does: 'exports no logs' },
    },
  },
  restore: {
    does: 'restores an exported file to an empty gateway, on either database',
    options: {
      from: { value: 'file', does: 'the file to read', isRequired: true },
      check: { does: 'only verifies that the file is complete' },
    },
  },
  backup: {
    does: 'takes a consistent copy of the database while the gateway runs',
    options: { to: { value: 'folder', does: 'destination of the copy', isRequired: true } },
  },
  plan: {
    does: 'shows what a configuration file would change; changes nothing',
    options: {
      file: { value: 'file', does: 'the file; default: CONFIG_FILE or ./headgate.yaml' },
      prune: { does: 'also shows what would be deleted because it was removed from the file' },
    },
    endsWithTwoWhen: 'the gateway differs from the file',
  },
  apply: {
    does: 'applies a configuration file to the gateway',
    options: {
      file: { value: 'file', does: 'the file; default: CONFIG_FILE or ./headgate.yaml' },
      prune: { does: 'deletes managed items that were removed from the file' },
    },
  },
  schema: { does: 'prints the JSON schema of configuration files, for editors' },
  'dump-config': {
    does: 'writes the current configuration as a configuration file, with variables for secrets',
    options: {
      to: { value: 'file', does: 'the file to write; never overwrites', isRequired: true },
      users: { does: 'also includes users, without passwords and quota' },
    },
  },
  demo: {
    does: 'starts a temporary gateway with sample channels, users and traffic',
    options: { port: { value: 'number', does: 'port; default: 3000' } },
  },
  doctor: {
    does: 'checks settings, database, disk, clock, port and channels, and suggests fixes',
    options: { json: { does: 'prints one JSON document' } },
    failsWhen: 'a problem prevents the gateway from serving',
  },
} as const satisfies Readonly<Record<string, Command>>;

export type ProductCommand = keyof typeof productCommands;
