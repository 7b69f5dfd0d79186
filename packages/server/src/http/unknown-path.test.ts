import { rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { parseStatus, rawBytes, rawHead } from '../testing/relay/raw-bytes.ts';
import { useTestApp } from '../testing/test-app.ts';
import { createTestConsole } from '../testing/test-console.ts';

const consoleDir = createTestConsole();
afterAll(() => rmSync(consoleDir, { recursive: true }));
const app = await useTestApp({ consoleDir });

const words = (method: string, path: string) => `Invalid URL (${method} ${path})`;
const prefixes = {
  'our own': '',
  "OpenAI's": '/v1/chat/completions',
  "Anthropic's": '/v1/messages',
  "Google's": '/v1beta/models',
  "Ollama's": '/api/chat',
} as const;
/** Expected message with the available endpoint for each format. */
const responseTo = (shape: keyof typeof prefixes, method: string, path: string) =>
  shape === 'our own'
    ? words(method, path)
    : `${words(method, path)}. Chat requests go to ${prefixes[shape]}; all endpoints are listed at /api/openapi.json`;
/** Error body of each dialect, with the request id. */
const shapes = {
  'our own': (message: string) => ({ success: false, message }),
  "OpenAI's": (message: string, id: string) => ({
    error: { message: `${message} (request id: ${id})`, type: 'invalid_request_error', param: null, code: null },
  }),
  "Anthropic's": (message: string, id: string) => ({
    type: 'error',
    error: { type: 'not_found_error', message },
    request_id: id,
  }),
  "Google's": (message: string, id: string) => ({
    error: {
      code: 404,
      message: `${message} (request id: ${id})`,
      status: 'NOT_FOUND',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'INVALID_REQUEST_ERROR',
          domain: 'headgate',
          metadata: { requestId: id },
        },
      ],
    },
  }),
  "Ollama's": (message: string, id: string) => ({ error: `${message} (request id: ${id})` }),
} as const;

const addresses: readonly (readonly [path: string, shape: keyof typeof shapes])[] = [
  ['/v1beta/cachedContents', "Google's"],
  ['/v1beta/tunedModels/mine:generateContent', "Google's"],
  ['/v1beta1/projects/x', "Google's"],
  ['/v1alpha/models', "Google's"],
  ['/gemini/v1beta/models', "Google's"],
  ['/google/v1/models', "Google's"],
  ['/vertex/v1/projects', "Google's"],
  ['/v1/messages/batches', "Anthropic's"],
  ['/v1/messages/msg_1', "Anthropic's"],
  ['/v1/complete', "Anthropic's"],
  ['/anthropic/v1/messages', "Anthropic's"],
  ['/claude/v1/messages', "Anthropic's"],
  ['/mcp', "OpenAI's"],
  ['/mcp/', "OpenAI's"],
  ['/sse', "OpenAI's"],
  ['/openai/deployments/gpt-4o/chat/completions', "OpenAI's"],
  ['/openai/v2/models', "OpenAI's"],
  ['/v1', "OpenAI's"],
  ['/v1/nothing', "OpenAI's"],
  ['/v2/models', "OpenAI's"],
  ['/azure/openai', "OpenAI's"],
  ['/engines/gpt-4o/completions', "OpenAI's"],
  ['/deployments/gpt-4o', "OpenAI's"],
  ['/dashboard/nothing', "OpenAI's"],
  ['/models', "OpenAI's"],
  ['/embeddings', "OpenAI's"],
  ['/completions', "OpenAI's"],
  ['/responses', "OpenAI's"],
  ['/messages', "OpenAI's"],
  ['/chat/completions', "OpenAI's"],
  ['/V1/MODELS', "OpenAI's"],
  ['//v1/models', "OpenAI's"],
  ['/%76%31/nothing', "OpenAI's"],
  ['/.well-known/oauth-authorization-server', "OpenAI's"],
  ['/mj/submit/imagine', "OpenAI's"],
  ['/mj-fast/mj/task/1/fetch', "OpenAI's"],
  ['/fast/mj/submit/imagine', "OpenAI's"],
  ['/suno/submit/music', "OpenAI's"],
  ['/kling/v1/videos/text2video', "OpenAI's"],
  ['/pg/chat/completions', "OpenAI's"],
  ['/api/pull', "Ollama's"],
  ['/api/ps', "Ollama's"],
  ['/api/blobs/sha256:1', "Ollama's"],
  ['/api/nothing', 'our own'],
  ['/api', 'our own'],
];

describe('[A24.12] unknown path that looks like an API', () => {
  test.each(addresses)('%s returns 404 in %s error format', async (path, shape) => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const received = await rawBytes(app.url, rawHead(`${method} ${path}?key=secret`, ['Content-Length: 0']));
      expect(parseStatus(received), `${method} ${path}`).toBe(404);
      expect(bodyOf(received)).toEqual(shapes[shape](responseTo(shape, method, path), idIn(received)));
      // Only the API's own format has an error code header.
      expect(/^x-error-code: unknownPath\r$/im.test(received)).toBe(shape === 'our own');
    }
  });

  test('a verb after a model uses Google’s format, even under a version prefix', async () => {
    const path = '/v1/models/gemini-2.5-pro:predict';
    const received = await rawBytes(app.url, rawHead(`POST ${path}`, ['Content-Length: 0']));
    expect(parseStatus(received)).toBe(404);
    expect(bodyOf(received)).toEqual(shapes["Google's"](responseTo("Google's", 'POST', path), idIn(received)));
  });

  test.each([
    ['anthropic-version: 2023-06-01', "Anthropic's"],
    ['x-goog-api-key: abc', "Google's"],
    ['api-key: abc', "OpenAI's"],
    ['x-api-key: abc', "OpenAI's"],
    ['authorization: Bearer sk-abc', "OpenAI's"],
  ] as const)('a request with %s gets %s error format on any path', async (header, shape) => {
    for (const path of ['/v1/nothing', '/nowhere']) {
      const received = await rawBytes(app.url, rawHead(`GET ${path}`, [header]));
      expect(parseStatus(received)).toBe(404);
      expect(bodyOf(received)).toEqual(shapes[shape](responseTo(shape, 'GET', path), idIn(received)));
    }
  });

  test('a browser behind a proxy that adds a key still gets the page', async () => {
    const headers = ['authorization: Bearer of-the-proxy', 'accept: text/html,application/xhtml+xml'];
    const received = await rawBytes(app.url, rawHead('GET /token', headers));
    expect(parseStatus(received)).toBe(200);
    expect(received).toContain('<!doctype html>');
  });

  test.each([
    ['not JSON', '{"model":'],
    ['above the size limit', JSON.stringify({ text: 'x'.repeat(2_000_000) })],
  ])('returns 404 even if the body is %s', async (_, body) => {
    const response = await fetch(`${app.url}/v1beta/tunedModels/x:generateContent`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { status: 'NOT_FOUND' } });
  });
});

const bodyOf = (received: string): unknown => JSON.parse(received.slice(received.indexOf('\r\n\r\n')));

const idIn = (received: string): string => /^x-request-id: (\S+)/im.exec(received)?.[1] ?? '';
