import { type JsonObject, readCountRequest, writeTokenCount } from '@headgate/dialects';
import { countPrompt, type EndpointKind, endpointKinds, type Outside, RelayError, readRequest } from '@headgate/relay';
import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { geminiCall } from './asked-endpoint.ts';
import type { TokenCaller } from './token-caller.ts';
import { requireModel } from './token-check.ts';

interface Parts {
  readonly outside: Outside;
  readonly guarded: RouteShorthandOptions;
  readonly callerOf: (request: FastifyRequest) => TokenCaller;
}

/** How many tokens a prompt has, for agents that keep an eye on their context. Counted here, and free. */
export function mountTokenCounts(app: FastifyInstance, { outside, guarded, callerOf }: Parts): void {
  const parsed = { ...guarded, config: { parsesJson: true } };
  const count = async (request: FastifyRequest, kind: EndpointKind, body: Buffer, model?: string) => {
    const asked = readRequest(kind, body, request.headers, { model });
    requireModel(callerOf(request).entry, asked.model);
    return countPrompt(asked, outside.tokenizer);
  };
  app.post('/v1/messages/count_tokens', parsed, async (request) => ({
    input_tokens: await count(request, endpointKinds.messages, bytesOf(request)),
  }));
  app.post('/v1beta/models/*', parsed, async (request) => {
    const call = geminiCall(request.url.split('?', 1)[0] ?? '');
    if (call?.method !== 'countTokens') throw notOffered(request);
    const body = Buffer.from(JSON.stringify(readCountRequest(objectIn(bytesOf(request)))));
    return writeTokenCount(await count(request, endpointKinds.generateContent, body, call.model));
  });
}

const bytesOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.from('{}'));

function objectIn(bytes: Buffer): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    value = undefined;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new RelayError(400, 'The body must be a JSON object', 'invalid_json', 'invalid_request_error');
}

const longestPath = 200;

function notOffered({ method, url }: FastifyRequest): RelayError {
  const path = url.split('?', 1)[0]?.slice(0, longestPath);
  return new RelayError(501, `API not implemented: ${method} ${path}`, 'api_not_implemented');
}
