import { createHash } from 'node:crypto';
import { logType } from '@headgate/contract';
import type { LogRow } from '../../platform/db/rows.ts';
import { readRequestTags } from '../../records/logs/request-tags-in.ts';
import { providerName } from '../traces/provider-name.ts';
import { otlpRequestBody, type Span, type SpanAttributes, spanKind } from '../traces/span.ts';
import type { LogBatch } from './log-batch.ts';

/** Type of a channel. */
type TypeOf = (channel: number) => number | undefined;

/** Body for an OTLP collector with a span for each request of a batch; undefined without requests. */
export function buildOtlpBody({ rows }: Pick<LogBatch, 'rows'>, typeOf: TypeOf): string | undefined {
  const requests = rows.filter(({ type }) => type === logType.consumption || type === logType.failure);
  if (requests.length === 0) return undefined;
  return otlpRequestBody(
    requests.map((row) => spanOf(row, typeOf)),
    { resource: { 'service.name': 'headgate' }, version: '' },
  );
}

/** A repeated batch has the same ids, so that collectors can detect duplicates. */
const idOf = (row: LogRow, length: number): string =>
  createHash('sha256').update(`${row.id} ${row.request_id}`).digest('hex').slice(0, length);

const traceIdLength = 32;
const spanIdLength = 16;

function spanOf(row: LogRow, typeOf: TypeOf): Span {
  const start = startOf(row) - performance.timeOrigin;
  const operation = row.completion_tokens > 0 ? 'chat' : undefined;
  const type = row.channel === 0 ? undefined : typeOf(row.channel);
  return {
    traceId: isUuid(row.request_id) ? row.request_id.replaceAll('-', '') : idOf(row, traceIdLength),
    spanId: idOf({ ...row, request_id: 'span' }, spanIdLength),
    parentSpanId: undefined,
    state: '',
    name: [operation ?? 'request', row.model_name].filter(Boolean).join(' '),
    kind: spanKind.client,
    startMs: start,
    endMs: start + row.elapsed_time,
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': type === undefined ? undefined : providerName(type),
      ...attributesOf(row),
    },
    isFailed: row.type === logType.failure,
  };
}

/** Request ids are version 7 UUIDs, which begin with the time in milliseconds. */
const isUuid = (id: string): boolean => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id);

function startOf({ request_id, created_at, elapsed_time }: LogRow): number {
  return isUuid(request_id)
    ? Number.parseInt(request_id.replaceAll('-', '').slice(0, 12), 16)
    : created_at * 1000 - elapsed_time;
}

const attributesOf = (row: LogRow): SpanAttributes => ({
  ...usageOf(row),
  'user.id': row.username || undefined,
  'headgate.log_id': row.id,
  'headgate.request_id': row.request_id || undefined,
  'headgate.token': row.token_name || undefined,
  'headgate.group': row.group || undefined,
  'headgate.channel': row.channel || undefined,
  'headgate.node': row.node || undefined,
  'headgate.quota': row.quota,
  'headgate.cost': row.cost,
  ...tagsOf(row),
});

const usageOf = (row: LogRow): SpanAttributes => ({
  'gen_ai.request.model': row.model_name || undefined,
  'gen_ai.request.stream': row.is_stream === 1,
  'gen_ai.usage.input_tokens': row.prompt_tokens,
  'gen_ai.usage.output_tokens': row.completion_tokens,
  'gen_ai.usage.cache_read.input_tokens': row.cached_tokens || undefined,
  'gen_ai.usage.cache_creation.input_tokens': row.cache_write_tokens || undefined,
  'gen_ai.usage.reasoning.output_tokens': row.reasoning_tokens || undefined,
  'gen_ai.response.time_to_first_chunk': row.first_byte_time ? row.first_byte_time / 1000 : undefined,
  'error.type': row.reason || undefined,
  'http.response.status_code': row.status || undefined,
});

function tagsOf({ detail }: LogRow): SpanAttributes {
  return Object.fromEntries(
    Object.entries(readRequestTags(detail)).map(([key, value]) => [`headgate.tag.${key}`, value]),
  );
}

const maxHeaders = 10;
const headerName = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const headerValue = /^[\x20-\x7e]{1,1000}$/;
/** Headers that belong to the connection or the body. */
const ownHeaders = new Set(['host', 'connection', 'content-length', 'content-type', 'transfer-encoding']);

/** Parses headers such as `authorization=Basic abc,x-team=search`; undefined if one is invalid. */
export function parseOtlpHeaders(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  if (pairs.length > maxHeaders) return undefined;
  const headers: Record<string, string> = {};
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at).trim().toLowerCase(), pair.slice(at + 1).trim()];
    if (at < 1 || ownHeaders.has(name) || !headerName.test(name) || !headerValue.test(value)) return undefined;
    headers[name] = value;
  }
  return headers;
}

/** Traces endpoint of an OTLP collector. */
export const otlpTracesUrl = (address: string): string => {
  if (address.endsWith('/v1/traces')) return address;
  return address.endsWith('/') ? `${address}v1/traces` : `${address}/v1/traces`;
};
