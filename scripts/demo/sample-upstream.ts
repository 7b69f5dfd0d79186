import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { sampleResponseTo } from './sample-responses.ts';
import { type SampleBody, sampleWires } from './sample-wires.ts';

/** Behavior of a sample channel; the first path segment. */
export type UpstreamBehavior = 'steady' | 'slow' | 'broken' | 'busy';

export interface SampleUpstream {
  readonly addressOf: (behavior: UpstreamBehavior) => string;
  readonly stop: () => Promise<void>;
}

const pieceMs = 15;
const slowMs = 2500;
const busyEvery = 3;

/** A local provider that needs no key: fast, slow, failing at times, or always failing. */
export async function startSampleUpstream(): Promise<SampleUpstream> {
  let requestCount = 0;
  const server = createServer((request, response) => {
    requestCount += 1;
    respond(request, response, requestCount).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    addressOf: (behavior) => `http://127.0.0.1:${port}/${behavior}`,
    stop: () => close(server),
  };
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

async function respond(request: IncomingMessage, response: ServerResponse, count: number): Promise<void> {
  const path = request.url ?? '/';
  const body = await readBody(request);
  if (path.startsWith('/broken'))
    return fail(response, 401, 'Incorrect API key provided. You can find your API key in your account.');
  if (path.startsWith('/busy') && count % busyEvery === 0)
    return fail(response, 503, 'The model is overloaded. Please try again later.');
  if (path.startsWith('/slow')) await sleep(slowMs);
  if (request.method === 'GET') return send(response, { object: 'list', data: [] });
  const wire = sampleWires.find((each) => each.path.test(path));
  if (!wire) return fail(response, 404, 'The sample provider supports chat only.');
  const model = body.model ?? /models\/([^:/]+)/.exec(path)?.[1] ?? 'sample';
  const sampleResponse = sampleResponseTo(JSON.stringify(body), model);
  if (!wire.streams(path, body)) return send(response, wire.whole(sampleResponse, model));
  response.writeHead(200, { 'content-type': wire.contentType });
  for (const event of wire.events(sampleResponse, model)) {
    if (response.closed) return;
    response.write(event);
    await sleep(pieceMs);
  }
  response.end();
}

async function readBody(request: IncomingMessage): Promise<SampleBody> {
  const json = await text(request);
  return json === '' ? {} : (JSON.parse(json) as SampleBody);
}

function send(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

const fail = (response: ServerResponse, status: number, message: string) =>
  send(response, { error: { message, type: status === 401 ? 'invalid_request_error' : 'server_error' } }, status);
