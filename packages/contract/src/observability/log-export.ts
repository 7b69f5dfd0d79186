import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, noData } from '../wire/list.ts';
import type { DestinationField } from './destination-kinds.ts';

export const maxLogExports = 20;
export const logExportNameLength = { max: 60 } as const;

interface LogExportKindRow {
  readonly label: string;
  readonly help: string;
  readonly fields: Readonly<Record<string, DestinationField>>;
}

/** All kinds of log export destinations. */
export const logExportKinds = {
  s3: {
    label: 'S3-compatible storage',
    help: 'Gzip-compressed NDJSON files, by date and hour.',
    fields: {
      address: { label: 'Endpoint URL', control: 'address', hint: 'https://s3.eu-central-1.amazonaws.com' },
      bucket: { label: 'Bucket', control: 'text' },
      region: { label: 'Region', control: 'text', initial: 'us-east-1' },
      prefix: { label: 'Key prefix', control: 'text', isOptional: true, hint: 'headgate/' },
      access_key: { label: 'Access key ID', control: 'text' },
      secret_key: { label: 'Secret access key', control: 'secret' },
    },
  },
  http: {
    label: 'HTTP endpoint',
    help: 'Batches of NDJSON, signed per Standard Webhooks.',
    fields: {
      address: { label: 'URL', control: 'secret-address', hint: 'https://example.com/logs' },
      secret: {
        label: 'Signing secret',
        control: 'secret',
        least: 16,
        signs: true,
        help: 'At least 16 characters, or whsec_ followed by a base64 key.',
      },
    },
  },
  folder: {
    label: 'Folder',
    help: 'Gzip-compressed NDJSON files in a folder of the data folder. With several nodes, mount it on all of them.',
    fields: { folder: { label: 'Folder name', control: 'text', initial: 'logs', help: 'Folder in DATA_DIR/exports.' } },
  },
  otlp: {
    label: 'OpenTelemetry collector',
    help: 'A span with gen_ai attributes for each request, as OTLP JSON. Works with Langfuse.',
    fields: {
      address: { label: 'OTLP endpoint', control: 'address', hint: 'https://cloud.langfuse.com/api/public/otel' },
      headers: {
        label: 'Headers',
        control: 'secret',
        isOptional: true,
        help: 'Comma-separated headers, for example authorization=Basic abc.',
      },
    },
  },
} as const satisfies Record<string, LogExportKindRow>;

export type LogExportKind = keyof typeof logExportKinds;
export const logExportKindNames = Object.keys(logExportKinds) as [LogExportKind, ...LogExportKind[]];

/** The settings of a kind, by name. */
export const logExportFields = (kind: LogExportKind): Readonly<Record<string, DestinationField>> =>
  logExportKinds[kind].fields;

const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(logExportNameLength.max));
const kind = z.enum(logExportKindNames);

/** By field name of the kind. Omitted secrets are unchanged. */
const settings = z.record(z.string().check(z.maxLength(40)), z.string().check(z.trim(), z.maxLength(2000)));

export const logExport = z.object({
  id: z.int(),
  kind,
  name: z.string(),
  enabled: z.boolean(),
  /** Settings without the secrets. */
  settings: z.record(z.string(), z.string()),
  /** Names of the secrets that are set. */
  secrets: z.array(z.string()),
  /** Host of the destination; empty for a folder. */
  place: z.string(),
  created_time: z.int(),
  /** Id of the last exported log. */
  cursor_id: z.int(),
  sent_rows: z.int(),
  /** Time of the last batch; 0: none. */
  sent_time: z.int(),
  /** Reason why the last attempt failed; empty if it succeeded. */
  last_error: z.string(),
  /** Age of the oldest log that is not exported yet, in seconds; 0: all are. */
  lag: z.int(),
});
export type LogExport = z.infer<typeof logExport>;

export const logExportApi = {
  list: { method: 'GET', path: '/api/log_export/', access: 'root', reply: z.array(logExport) },
  get: { method: 'GET', path: '/api/log_export/:id', access: 'root', params: idParams, reply: logExport },
  add: {
    method: 'POST',
    path: '/api/log_export/',
    access: 'root',
    body: z.object({
      kind,
      name,
      enabled: z._default(z.boolean(), true),
      /** True if logs from before the destination existed are exported too. */
      from: z._default(z.enum(['now', 'start']), 'now'),
      settings,
    }),
    reply: logExport,
  },
  update: {
    method: 'PUT',
    path: '/api/log_export/:id',
    access: 'root',
    params: idParams,
    body: z.object({ name, enabled: z._default(z.boolean(), true), settings }),
    reply: logExport,
  },
  remove: { method: 'DELETE', path: '/api/log_export/:id', access: 'root', params: idParams, reply: noData },
  test: {
    method: 'POST',
    path: '/api/log_export/:id/test',
    access: 'root',
    params: idParams,
    reply: z.object({
      ok: z.boolean(),
      /** Response of the destination, shortened. */
      answer: z.string(),
      ms: z.int(),
    }),
  },
} as const satisfies EndpointTable;
