import type { ResourceTexts, SchemaTexts } from './types.ts';

export const settingResources: ResourceTexts<'option' | 'mail' | 'managed' | 'ledger' | 'node'> = {
  option: {
    tag: 'Settings',
    operations: {
      list: {
        summary: 'List options',
        description: 'Returns all options as text. Secrets are returned empty.',
        query: {
          ratios: 'Whether model ratios include the built-in ones (`effective`) or only those that differ (`saved`).',
        },
        data: 'The options.',
      },
      update: {
        summary: 'Set an option',
        description:
          'Sets one option. Of a list of ratios only those that differ from the built-in ones are saved. Some options require a super admin.',
      },
    },
  },
  mail: {
    tag: 'Settings',
    operations: {
      test: {
        summary: 'Send a test email',
        description: 'Sends a test email with the saved mail settings. Fails with the reason if it cannot be sent.',
      },
    },
  },
  managed: {
    tag: 'Settings',
    operations: {
      list: {
        summary: 'List managed objects',
        description: 'Returns the objects that the configuration file manages. They can be changed only in that file.',
        data: 'The managed objects.',
      },
    },
  },
  ledger: {
    tag: 'Operations',
    operations: {
      check: {
        summary: 'Check the ledger',
        description: 'Checks that the quota of every user adds up, and that the budgets match the charges.',
      },
    },
  },
  node: {
    tag: 'Operations',
    operations: {
      list: {
        summary: 'List nodes',
        description: 'Returns the processes that serve this gateway, sorted by name.',
        data: 'The nodes.',
      },
    },
  },
};

export const settingSchemas: SchemaTexts = {
  Option: {
    description: 'An option of the gateway.',
    fields: {
      key: 'Name of the option. All options are listed in the settings guide.',
      value: 'Value as text. Always empty for secrets.',
      stored: 'Present for secrets. True: a value is stored.',
    },
    example: { key: 'QuotaPerUnit', value: '500000', stored: undefined },
  },
  OptionUpdateRequest: {
    description: 'An option and its new value.',
    like: 'Option',
    fields: { value: 'New value as text.' },
  },
  MailTestRequest: {
    description: 'A test email.',
    fields: { to: 'Email address of the recipient.' },
    example: { to: 'admin@example.com' },
  },
  ManagedObject: {
    description: 'An object that the configuration file manages.',
    fields: {
      kind: 'Kind of the object.',
      name: 'Name of the object in the configuration file.',
      id: 'ID of the object. 0: it is identified by its name.',
    },
    example: { kind: 'channel', name: 'openai' },
  },
  LedgerCheck: {
    description: 'Result of the ledger check. All differences are 0 when the ledger is balanced.',
    fields: {
      users: 'Number of users checked.',
      offenders: 'Users whose quota does not add up.',
      budget_drift: 'Charges that belong to budgets minus the use recorded in the budgets, in points. 0: balanced.',
    },
    example: { users: 42, offenders: [] },
  },
  LedgerOffender: {
    description: 'A user whose quota does not add up.',
    fields: { id: 'ID of the user.', username: 'Name of the user.' },
  },
  Node: {
    description: 'A process that serves this gateway.',
    fields: {
      name: 'Name of the node.',
      version: 'Version of the gateway on the node.',
      started_time: 'Start time of the process, Unix seconds.',
      is_this: 'True: the node that serves this call.',
      seen_seconds: 'Seconds since the last heartbeat.',
      is_silent: 'True: no heartbeat for too long.',
      running: 'Relay requests in flight.',
      lag_ms: 'Milliseconds the oldest unsaved charge has been waiting. 0: all are saved.',
      leases: 'Number of users and API tokens whose quota the node has leased. 0 with a single node.',
      unconfirmed_time: 'Time when the node last failed to confirm a change, Unix seconds. 0: it is up to date.',
      settings: 'Settings from the environment, by name. They change only on restart; secrets are not included.',
    },
    example: {
      name: 'gateway-1',
      version: '1.0.0',
      seen_seconds: 1,
      is_silent: false,
      running: 12,
      lag_ms: 0,
      leases: 0,
      unconfirmed_time: 0,
      settings: { PORT: '3000' },
    },
  },
};
