import { describeDestinationField, logExportFields, logExportKindNames } from '@headgate/contract';
import type { ResourceTexts, SchemaTexts } from './types.ts';

const settingsText = logExportKindNames
  .map((kind) => {
    const fields = Object.entries(logExportFields(kind)).map(
      ([name, field]) => `\`${name}\`: ${describeDestinationField(field)}`,
    );
    return `For \`${kind}\`: ${fields.join(' ')}`;
  })
  .join(' ');

export const logExportResources: ResourceTexts<'logExport'> = {
  logExport: {
    tag: 'Logs',
    params: { id: 'ID of the log export.' },
    operations: {
      list: {
        summary: 'List log exports',
        description: 'Returns the destinations that logs are exported to, without their secrets.',
        data: 'The log exports.',
      },
      get: { summary: 'Get a log export', description: 'Returns one log export, without its secrets.' },
      add: {
        summary: 'Create a log export',
        description: 'Creates a log export, at most 20. Secrets are encrypted and never returned.',
      },
      update: {
        summary: 'Update a log export',
        description:
          'Changes a log export. Omitted secrets are kept, unless the address changes: then they must be sent again.',
      },
      remove: { summary: 'Delete a log export', description: 'Deletes a log export. Exported logs stay.' },
      test: {
        summary: 'Test a log export',
        description: 'Sends one sample log with ID 0 and returns the response of the destination.',
      },
    },
  },
};

export const logExportSchemas: SchemaTexts = {
  LogExport: {
    description: 'A destination that logs are exported to continuously.',
    fields: {
      kind: 'Kind of the destination: `s3`, `http`, `folder` or `otlp`.',
      name: 'Name of the log export, at most 60 characters.',
      enabled: 'False: paused. Logs written meanwhile are exported later.',
      settings: 'Settings that are not secret, by name.',
      secrets: 'Names of the secrets that are set.',
      place: 'Host of the destination. Empty for a folder.',
      cursor_id: 'ID of the last exported log.',
      sent_rows: 'Number of exported logs.',
      sent_time: 'Time of the last batch, Unix seconds. 0: none.',
      last_error: 'Why the last attempt failed. Empty: it succeeded.',
      lag: 'Age of the oldest log that is not exported yet, in seconds. 0: all are exported.',
    },
    example: {
      kind: 's3',
      name: 'Archive',
      enabled: true,
      settings: { address: 'https://s3.example.com', bucket: 'logs', region: 'us-east-1' },
      secrets: ['secret_key'],
      place: 's3.example.com',
      cursor_id: 48_213,
      sent_rows: 48_213,
      sent_time: 1_767_312_000,
      lag: 0,
    },
  },
  LogExportAddRequest: {
    description: 'A new log export.',
    like: 'LogExport',
    fields: {
      from: '`start`: logs from before the log export existed are exported too. `now`: later logs only.',
      settings: `Settings and secrets by name. Omitted secrets are unchanged. ${settingsText}`,
    },
    example: { kind: 'folder', name: 'Archive', from: 'start', settings: { folder: 'logs' } },
  },
  LogExportUpdateRequest: { description: 'A change of a log export.', like: 'LogExportAddRequest' },
  LogExportTestData: {
    description: 'Result of a test.',
    fields: {
      ok: 'True: the destination accepted the log.',
      answer: 'Response of the destination, shortened.',
      ms: 'Duration of the test, in milliseconds.',
    },
    example: { ok: true, answer: 'HTTP 200', ms: 42 },
  },
};
