import { allowedContentType, maskSecrets, type RelayChannel, type UpstreamResponse } from '@headgate/relay';

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
const longestValue = 1024;

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
    if (masked.length <= longestValue) passed[lowerCase] = masked;
  }
  return passed;
}
