import { createHash } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LogExportKind } from '@headgate/contract';
import { sigV4Headers } from '@headgate/providers';
import { ApiError } from '../../platform/errors/api-error.ts';
import { OutgoingError, requestText } from '../../platform/outgoing/request-json.ts';
import type { DestinationSettings } from '../alerts/destinations/destination-protocol.ts';
import { webhookHeaders } from '../alerts/destinations/push-destinations.ts';
import { compressBatch, type LogBatch, ndjsonOf } from './log-batch.ts';
import { buildOtlpBody, otlpTracesUrl, parseOtlpHeaders } from './otlp-batch.ts';

interface ExportTarget {
  /** Id of the destination. */
  readonly id: number;
  readonly settings: DestinationSettings;
  /** Folder that contains the folders of destinations. */
  readonly exportsDir: string;
  readonly nowMs: number;
  /** Type of a channel; undefined if it is unknown. */
  readonly typeOf: (channel: number) => number | undefined;
}

interface ExportDestination {
  /** Maximum number of logs per batch. */
  readonly maxRows: number;
  /** Throws an API error for settings that can never work. */
  check(settings: DestinationSettings): void;
  /** Stores a batch durably and returns a short description; throws if that failed. */
  send(batch: LogBatch, target: ExportTarget): Promise<string>;
}

const timeoutMs = 30_000;

/** Without characters that are unusual in object keys. */
const plainKey = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,200}$/;
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const regionName = /^[a-z0-9-]{1,40}$/;
const folderName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$/;

function requireMatch(pattern: RegExp, field: string, text = ''): void {
  if (!pattern.test(text)) throw new ApiError('receiverSettingUnfit', { field: `settings.${field}` });
}

const s3: ExportDestination = {
  maxRows: 2000,
  check({ bucket, region, prefix }) {
    requireMatch(bucketName, 'bucket', bucket);
    requireMatch(regionName, 'region', region);
    if (prefix) requireMatch(plainKey, 'prefix', prefix);
    if (prefix?.split('/').some((part) => part === '.' || part === '..'))
      throw new ApiError('receiverSettingUnfit', { field: 'settings.prefix' });
  },
  async send(batch, { settings, nowMs }) {
    const { address = '', bucket = '', region = '', prefix = '', access_key = '', secret_key = '' } = settings;
    const body = await compressBatch(batch);
    // Percent-encode like other S3 clients, because servers differ in how they sign characters such as `=`.
    const key = `${prefix}${batch.key}`.split('/').map(encodeURIComponent).join('/');
    const url = `${address}/${bucket}/${key}`;
    const headers = sigV4Headers(
      {
        method: 'PUT',
        url,
        headers: {
          'content-type': 'application/gzip',
          'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
        },
        body,
      },
      { accessKey: access_key, secretKey: secret_key, region, service: 's3' },
      nowMs,
    );
    const response = await requestText(url, { method: 'PUT', headers, body, timeoutMs });
    return accepted(response, /<Code>([A-Za-z]{1,60})<\/Code>/.exec(response.text)?.[1]);
  },
};

const http: ExportDestination = {
  maxRows: 1000,
  check: () => undefined,
  async send(batch, { id, settings, nowMs }) {
    const { address = '', secret = '' } = settings;
    const body = ndjsonOf(batch);
    const headers = {
      'content-type': 'application/x-ndjson',
      // Receivers skip known ids, so a repeated batch with additional logs needs a different id.
      ...webhookHeaders(`logs-${id}-${batch.firstId}-${batch.lastId}`, body, secret, nowMs),
    };
    return accepted(await requestText(address, { method: 'POST', headers, body, timeoutMs }));
  },
};

const folder: ExportDestination = {
  maxRows: 2000,
  check: ({ folder: name }) => requireMatch(folderName, 'folder', name),
  async send(batch, { settings, exportsDir }) {
    const path = join(exportsDir, settings['folder'] ?? '', batch.key);
    await mkdir(dirname(path), { recursive: true });
    const unfinished = `${path}.part`;
    const file = await open(unfinished, 'w', 0o600);
    try {
      await file.writeFile(await compressBatch(batch));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
    return `stored ${batch.key}`;
  },
};

const otlp: ExportDestination = {
  maxRows: 500,
  check: ({ headers = '' }) => {
    if (!parseOtlpHeaders(headers)) throw new ApiError('receiverSettingUnfit', { field: 'settings.headers' });
  },
  async send(batch, { settings: { address = '', headers = '' }, typeOf }) {
    const body = buildOtlpBody(batch, typeOf);
    if (body === undefined) return 'no requests in this batch';
    const sent = { ...parseOtlpHeaders(headers), 'content-type': 'application/json' };
    const { status } = await requestText(otlpTracesUrl(address), { method: 'POST', headers: sent, body, timeoutMs });
    // The response may repeat the headers.
    return accepted({ status, text: '' });
  },
};

function accepted({ status, text }: { status: number; text: string }, code?: string): string {
  if (status >= 200 && status < 300) return `HTTP ${status}`;
  const detail = code ?? text.slice(0, 200);
  throw new OutgoingError('unreadable', `HTTP ${status}${detail === '' ? '' : `: ${detail}`}`);
}

export const exportDestinations: Readonly<Record<LogExportKind, ExportDestination>> = { s3, http, folder, otlp };
