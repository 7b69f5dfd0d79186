import { StartFailure } from '../../platform/errors/start-failure.ts';
import { validateHeaderName, validateHeaderValue } from '../../platform/outgoing/node-http.ts';
import { type SamplerName, samplers } from './sampler.ts';

/** Supported OpenTelemetry variables; others are ignored. */
export const traceVariables = [
  'OTEL_SDK_DISABLED',
  'OTEL_TRACES_EXPORTER',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  'OTEL_EXPORTER_OTLP_TIMEOUT',
  'OTEL_EXPORTER_OTLP_TRACES_TIMEOUT',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_PROPAGATORS',
  'OTEL_BSP_SCHEDULE_DELAY',
  'OTEL_BSP_MAX_QUEUE_SIZE',
  'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
] as const;

export type TraceVariables = Readonly<Partial<Record<(typeof traceVariables)[number], string | undefined>>>;

export interface TraceSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly sampler: SamplerName;
  /** Share of sampled traces, for ratio samplers. */
  readonly ratio: number;
  readonly resource: Readonly<Record<string, string>>;
  /** True if the clients' context is used and passed on. */
  readonly isPropagated: boolean;
  readonly delayMs: number;
  readonly maxQueued: number;
  readonly maxInBatch: number;
}

/** Undefined without an endpoint; invalid values are only checked with one. */
export function readTraceSettings(given: TraceVariables): TraceSettings | undefined {
  const url = addressOf(given);
  if (url === undefined || isOff(given)) return undefined;
  rejectGrpc(given);
  return {
    url,
    headers: headersOf(given),
    timeoutMs: whole(given, ['OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', 'OTEL_EXPORTER_OTLP_TIMEOUT'], 10_000),
    sampler: samplerOf(given),
    ratio: ratioOf(given),
    resource: resourceOf(given),
    isPropagated: (given.OTEL_PROPAGATORS ?? 'tracecontext').split(',').some((name) => name.trim() === 'tracecontext'),
    delayMs: whole(given, ['OTEL_BSP_SCHEDULE_DELAY'], 5000),
    maxQueued: whole(given, ['OTEL_BSP_MAX_QUEUE_SIZE'], 2048),
    maxInBatch: whole(given, ['OTEL_BSP_MAX_EXPORT_BATCH_SIZE'], 512),
  };
}

function isOff({ OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER = 'otlp' }: TraceVariables): boolean {
  if (OTEL_SDK_DISABLED?.toLowerCase() === 'true') return true;
  if (OTEL_TRACES_EXPORTER !== 'otlp' && OTEL_TRACES_EXPORTER !== 'none')
    throw new StartFailure('OTEL_TRACES_EXPORTER must be otlp or none.');
  return OTEL_TRACES_EXPORTER === 'none';
}

function addressOf(given: TraceVariables): string | undefined {
  const own = given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  const name = own === undefined ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
  const text = given[name];
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new StartFailure(`${name} must start with http:// or https://.`);
  // The general endpoint gets a path per signal.
  if (own === undefined) url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url.href;
}

function rejectGrpc(given: TraceVariables): void {
  const protocol = given.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? given.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/json';
  // Collectors that accept Protobuf over HTTP accept JSON at the same address.
  if (protocol !== 'http/json' && protocol !== 'http/protobuf')
    throw new StartFailure('OTEL_EXPORTER_OTLP_PROTOCOL must be http/json: spans are sent as JSON over HTTP.');
}

function headersOf(given: TraceVariables): Readonly<Record<string, string>> {
  const own = given.OTEL_EXPORTER_OTLP_TRACES_HEADERS;
  const name = own === undefined ? 'OTEL_EXPORTER_OTLP_HEADERS' : 'OTEL_EXPORTER_OTLP_TRACES_HEADERS';
  const pairs = pairsOf(given, name).map(([key, value]) => [key.toLowerCase(), value] as const);
  try {
    for (const [key, value] of pairs) {
      validateHeaderName(key);
      validateHeaderValue(key, value);
    }
  } catch {
    throw new StartFailure(`${name} contains an invalid header.`);
  }
  return Object.fromEntries(pairs);
}

function resourceOf(given: TraceVariables): Readonly<Record<string, string>> {
  const named = given.OTEL_SERVICE_NAME;
  const attributes = pairsOf(given, 'OTEL_RESOURCE_ATTRIBUTES');
  return Object.fromEntries([['service.name', 'headgate'], ...attributes, ...(named ? [['service.name', named]] : [])]);
}

/** Parses `a=b,c=d` with percent-encoding. */
function pairsOf(given: TraceVariables, name: (typeof traceVariables)[number]): readonly [string, string][] {
  const parts = (given[name] ?? '').split(',').filter((part) => part.trim() !== '');
  return parts.map((part) => {
    const [, key, value] = /^\s*([^=\s]{1,256})\s*=(.*)$/s.exec(part) ?? [];
    const decoded = value === undefined ? undefined : decodedOf(value.trim());
    if (key === undefined || decoded === undefined)
      throw new StartFailure(`${name} must be key=value pairs separated by commas.`);
    return [key, decoded];
  });
}

function decodedOf(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function samplerOf({ OTEL_TRACES_SAMPLER = 'parentbased_always_on' }: TraceVariables): SamplerName {
  if (Object.hasOwn(samplers, OTEL_TRACES_SAMPLER)) return OTEL_TRACES_SAMPLER as SamplerName;
  throw new StartFailure(`OTEL_TRACES_SAMPLER must be one of ${Object.keys(samplers).join(', ')}.`);
}

function ratioOf({ OTEL_TRACES_SAMPLER_ARG = '1' }: TraceVariables): number {
  const ratio = /^[\d.e-]{1,20}$/.test(OTEL_TRACES_SAMPLER_ARG) ? Number(OTEL_TRACES_SAMPLER_ARG) : Number.NaN;
  if (ratio >= 0 && ratio <= 1) return ratio;
  throw new StartFailure('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.');
}

function whole(given: TraceVariables, names: readonly (typeof traceVariables)[number][], usual: number): number {
  const name = names.find((each) => given[each] !== undefined);
  if (name === undefined) return usual;
  if (/^[1-9]\d{0,5}$/.test(given[name] ?? '')) return Number(given[name]);
  throw new StartFailure(`${name} must be a whole number from 1 to 999999.`);
}
