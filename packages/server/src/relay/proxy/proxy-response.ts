import {
  allowedContentType,
  disconnectCause,
  GuardedSink,
  KeyFilter,
  maskSecrets,
  type RelayChannel,
  RelayError,
  type UpstreamResponse,
  type UpstreamSink,
} from '@headgate/relay';
import type { HttpClientSink } from '../clients/http-client-sink.ts';

/** Longest error that is forwarded, in bytes. */
const maxErrorLength = 65_536;

/**
 * Forwards a response without ending it. Resolves with the reason if the client did not get all of it, otherwise with
 * undefined.
 */
export function forwardResponse(
  response: UpstreamResponse,
  client: HttpClientSink,
  channel: RelayChannel,
): Promise<RelayError | undefined> {
  return new Promise((resolve, reject) => {
    if (isError(response) && isEncoded(response)) {
      // A compressed error may contain the key and cannot be masked.
      response.abort();
      client.start(response.status, { 'content-type': 'application/json' });
      client.write(Buffer.from(JSON.stringify({ error: { message: hiddenError, type: 'headgate_error' } })));
      resolve(undefined);
      return;
    }
    client.start(response.status, forwardedHeaders(response.headers, channel));
    client.disconnect.addEventListener('abort', () => {
      response.abort();
      resolve(disconnectCause(client.disconnect).failure);
    });
    const end = () => resolve(undefined);
    const fail = (error: Error) =>
      resolve(client.disconnect.aborted ? disconnectCause(client.disconnect).failure : broke(error));
    const filter = new KeyFilter(channel);
    const write = (bytes: Buffer) => {
      if (bytes.length === 0 || client.write(bytes)) return;
      response.pause();
      client.onDrained(() => response.resume());
    };
    const data = (chunk: Buffer) => write(filter.pass(chunk));
    const finish = () => {
      write(filter.finish());
      end();
    };
    const sink: UpstreamSink = isError(response)
      ? maskedError({ response, channel, client, end, fail })
      : { data, end: finish, fail };
    response.read(new GuardedSink({ sink, response, reject }));
  });
}

const hiddenError = 'The upstream sent a compressed error, which is not forwarded';

const isEncoded = ({ headers }: UpstreamResponse): boolean =>
  (headers['content-encoding'] ?? 'identity') !== 'identity';

const isError = ({ status }: UpstreamResponse): boolean => status >= 400;

interface ErrorParts extends Pick<UpstreamSink, 'end' | 'fail'> {
  readonly response: UpstreamResponse;
  readonly channel: RelayChannel;
  readonly client: HttpClientSink;
}

/** Buffers and masks errors, because upstreams may quote a rejected key or an internal host. */
function maskedError({ response, channel, client, end, fail }: ErrorParts): UpstreamSink {
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = () => {
    // Latin-1 has one character per byte, so binary data stays unchanged.
    const text = Buffer.concat(chunks).toString('latin1');
    client.write(Buffer.from(maskSecrets(text, channel), 'latin1'));
    end();
  };
  return {
    data(chunk) {
      if (length >= maxErrorLength) return;
      chunks.push(chunk);
      length += chunk.length;
      if (length < maxErrorLength) return;
      finish();
      response.abort();
    },
    end: finish,
    fail,
  };
}

const broke = ({ message }: Error) =>
  new RelayError(502, `The upstream disconnected during its response: ${message}`, 'upstream_broke');

/**
 * Upstream response headers that clients need. All others are dropped, because browsers and reverse proxies would
 * apply many of them to the gateway, such as cookies, redirects, policies and `X-Accel-Redirect`.
 */
const passedNames: ReadonlySet<string> = new Set([
  'accept-ranges',
  'apim-request-id',
  // Needed because the body is forwarded as received, compressed or not.
  'content-encoding',
  'content-language',
  'content-range',
  'etag',
  'finish-reason',
  'last-modified',
  'mcp-protocol-version',
  'mcp-session-id',
  'openai-model',
  'openai-processing-ms',
  'openai-version',
  'ratelimit',
  'request-id',
  'retry-after',
  'retry-after-ms',
  'seed',
  'x-amzn-errortype',
  'x-amzn-requestid',
  // Volcengine's speech API reports its status here.
  'x-api-message',
  'x-api-request-id',
  'x-api-status-code',
  'x-goog-request-id',
  'x-ms-error-code',
  'x-ms-region',
  'x-ms-request-id',
  'x-next-page',
  'x-oneapi-request-id',
  'x-page',
  'x-per-page',
  'x-ratelimit',
  'x-total',
  'x-total-count',
  'x-total-pages',
  'x-tt-logid',
]);

const passedPrefixes = ['anthropic-ratelimit-', 'ratelimit-', 'x-amzn-bedrock-', 'x-ratelimit-'] as const;

/** Longest forwarded value in characters. */
const maxValueLength = 1024;

const isPassed = (name: string): boolean =>
  passedNames.has(name) || passedPrefixes.some((prefix) => name.startsWith(prefix));

/** Headers of a proxied response, with caching disabled and a content type that browsers do not execute. */
export function forwardedHeaders(headers: UpstreamResponse['headers'], channel: RelayChannel): Record<string, string> {
  const contentType = allowedContentType('proxy', headers['content-type']);
  const passed: Record<string, string> = {
    'content-type': contentType,
    'cache-control': 'no-store',
    ...(contentType.startsWith('text/event-stream') && { 'x-accel-buffering': 'no' }),
  };
  for (const [name, value] of Object.entries(headers)) {
    const lowerCase = name.toLowerCase();
    if (value === undefined || !isPassed(lowerCase)) continue;
    const masked = maskSecrets(String(value), channel);
    if (masked.length <= maxValueLength) passed[lowerCase] = masked;
  }
  return passed;
}
