import {
  failedTry,
  GuardedSink,
  type Outside,
  RelayError,
  type UpstreamResponse,
  type UpstreamSink,
} from '@headgate/relay';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HttpClientSink } from './http-client-sink.ts';
import type { RelayService } from './relay-service.ts';

interface Parts {
  readonly relay: RelayService;
  readonly outside: Outside;
  readonly admit: (request: FastifyRequest) => Promise<void>;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const prefixes = ['/v1/proxy', '/v1/oneapi/proxy'] as const;

/** Of one connection, or of this product's own session: never the other side's business. */
const keptHeaders: ReadonlySet<string> = new Set([
  ...['host', 'content-length', 'accept-encoding', 'authorization', 'cookie', 'set-cookie', 'content-encoding'],
  ...['connection', 'keep-alive', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'],
  ...['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'],
]);

/** Calls passed to a channel's address as they are, for what OpenAI's API has no words for. */
export function passProxyCalls(app: FastifyInstance, { relay, outside, admit }: Parts): void {
  for (const prefix of prefixes) {
    app.route<{ Params: { id: string } }>({
      method: [...methods],
      url: `${prefix}/:id/*`,
      schema: { hide: true },
      onRequest: admit,
      handler: (request, reply) => pass({ relay, outside, admit }, request, reply),
    });
  }
}

async function pass(
  { relay, outside }: Parts,
  request: FastifyRequest<{ Params: { id: string } }>,
  reply: FastifyReply,
): Promise<void> {
  const { caller } = request;
  const channel = caller && relay.proxyChannel(caller, Number(request.params.id));
  if (!caller || !channel) throw new RelayError(404, 'There is no such proxy for you', 'no_channel');
  const began = performance.now();
  const rest = request.url.replace(/^\/v1\/(?:oneapi\/)?proxy\/[^/?]+/, '');
  const onFault = (error: unknown) => request.log.error({ err: error }, 'relay failed');
  const client = new HttpClientSink(reply.raw, { requestId: request.id, onFault });
  const asked = outside.upstreams.open(
    {
      method: request.method,
      url: channel.baseUrl + rest,
      headers: { ...passedHeaders(request.headers), authorization: channel.key },
      body: Buffer.isBuffer(request.body) ? request.body : undefined,
    },
    client.leaving,
  );
  const response = await asked.catch((error: unknown) => {
    throw failedTry(error, channel).error;
  });
  reply.hijack();
  await deliver(response, client).catch((error: unknown) => {
    onFault(error);
    client.breakOff();
  });
  await relay.recordProxy(caller, channel, {
    requestId: request.id,
    status: response.status,
    method: request.method,
    elapsedMs: Math.round(performance.now() - began),
  });
  client.end();
}

function passedHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const passed = Object.entries(headers).filter(([name]) => !keptHeaders.has(name.toLowerCase()));
  return Object.fromEntries(passed.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
}

function deliver(response: UpstreamResponse, client: HttpClientSink): Promise<void> {
  return new Promise((resolve, reject) => {
    client.start(response.status, passedHeaders(response.headers));
    client.leaving.addEventListener('abort', () => {
      response.abort();
      resolve();
    });
    const sink: UpstreamSink = {
      data(chunk) {
        if (client.write(chunk)) return;
        response.pause();
        client.onDrained(() => response.resume());
      },
      end: resolve,
      fail: () => {
        client.breakOff();
        resolve();
      },
    };
    response.read(new GuardedSink({ sink, response, reject }));
  });
}
