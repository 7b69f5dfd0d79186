export interface CommandOption {
  readonly does: string;
  /** Placeholder for the value in the help; without one the option is a flag. */
  readonly value?: string;
  readonly isRequired?: boolean;
}

export interface Command {
  /** Description in the list of commands. */
  readonly does: string;
  /** Positional argument, as shown in the help. */
  readonly argument?: { readonly name: string; readonly does: string; readonly choices?: readonly string[] };
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** Condition for exit code 1 besides a failure. */
  readonly failsWhen?: string;
  /** Condition for exit code 3. */
  readonly differsWhen?: string;
}

/**
 * Operator commands: `headgate <command>` in the package, `npm run <command> -- …` in a checkout. Help, shell
 * completion and argument checks are derived from this table.
 */
export const productCommands = {
  start: { does: 'starts the console, the API and the relay; reads settings from the environment and ./.env' },
  passwd: {
    does: 'sets the password of a user, turns off two-step login and ends their sessions',
    argument: { name: 'username', does: 'the user; root by default' },
  },
  audit: {
    does: 'checks that the quota of every user adds up, and changes nothing',
    options: { database: { value: 'file or address', does: 'database to check; the configured one by default' } },
    failsWhen: 'the ledger does not balance',
  },
  import: {
    does: 'imports users, tokens, channels and settings from One API, new-api or LiteLLM',
    options: {
      from: {
        value: 'file or address',
        does: 'SQLite file or database server; - to type or pipe it in; IMPORT_FROM by default',
      },
      'dry-run': { does: 'only report what would be imported' },
      'logs-since': { value: 'day', does: 'also import logs since this UTC day, such as 2026-01-01' },
      as: { value: 'name', does: 'name of the source, for later runs' },
      config: { value: 'file', does: 'config.yaml of LiteLLM, whose models become channels' },
      'keys-from-environment': { does: 'read os.environ/NAME values of that file from the environment' },
    },
  },
  export: {
    does: 'writes the whole gateway into one encrypted file',
    options: {
      to: { value: 'file', does: 'file to write', isRequired: true },
      'logs-since': { value: 'day', does: 'only logs since this UTC day, such as 2026-01-01' },
      'without-logs': { does: 'without logs' },
    },
  },
  restore: {
    does: 'restores an exported file into an empty gateway, on SQLite or PostgreSQL',
    options: {
      from: { value: 'file', does: 'file to read', isRequired: true },
      check: { does: 'only verify the file' },
    },
  },
  backup: {
    does: 'backs up the database while the gateway runs',
    options: { to: { value: 'folder', does: 'folder for the backup', isRequired: true } },
  },
  plan: {
    does: 'shows what a configuration file would change, and changes nothing',
    options: {
      file: { value: 'file', does: 'configuration file; CONFIG_FILE or ./headgate.yaml by default' },
      prune: { does: 'include deletions of objects that are no longer in the file' },
      json: { does: 'print JSON' },
      validate: { does: 'only validate the file, without a database and without its secrets' },
    },
    differsWhen: 'the gateway differs from the file',
  },
  apply: {
    does: 'applies a configuration file',
    options: {
      file: { value: 'file', does: 'configuration file; CONFIG_FILE or ./headgate.yaml by default' },
      prune: { does: 'delete objects that are no longer in the file' },
    },
  },
  schema: { does: 'prints the JSON schema of configuration files, for editors' },
  'dump-config': {
    does: 'writes the current configuration as a configuration file, with variables for secrets',
    options: {
      to: { value: 'file', does: 'file to write; an existing file is not overwritten', isRequired: true },
      users: { does: 'include users, without passwords and quota' },
    },
  },
  demo: {
    does: 'starts a gateway with sample channels, users and traffic, deleted when it stops',
    options: { port: { value: 'number', does: 'port to listen on; 3000 by default' } },
  },
  doctor: {
    does: 'checks settings, database, disk, clock, port and channels, and reports what to fix',
    options: { json: { does: 'print JSON' } },
    failsWhen: 'something must be fixed before the gateway can serve',
  },
  systemd: { does: 'prints a systemd unit for this installation' },
  docs: {
    does: 'lists the documentation, or prints a page of it',
    argument: { name: 'page', does: 'the page, such as settings; without one the pages are listed' },
  },
} as const satisfies Readonly<Record<string, Command>>;

/** Built into the command line itself, in a checkout and in the package. */
export const completionCommand = {
  does: 'prints a shell completion script',
  argument: { name: 'shell', does: 'bash, zsh or fish', choices: ['bash', 'zsh', 'fish'] },
} as const satisfies Command;

export type ProductCommand = keyof typeof productCommands;
