import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as received by the upstream. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
  readonly body: Readonly<Record<string, unknown>>;
  /** Resolves when the gateway disconnects before the response has ended. */
  readonly left: Promise<void>;
}

/** Handles one request by writing to its response. */
export type UpstreamHandler = (response: ServerResponse, request: ReceivedRequest) => void | Promise<void>;

/** Fake provider on a loopback port with a configurable response. */
export class StubUpstream {
  readonly url: string;
  readonly received: ReceivedRequest[] = [];
  /** Handles all further requests. */
  handler: UpstreamHandler;
  readonly #server: Server;

  private constructor(server: Server, response: UpstreamHandler) {
    this.#server = server;
    this.handler = response;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(respond: UpstreamHandler = reply({})): Promise<StubUpstream> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const stub = new StubUpstream(server, respond);
    server.on('request', async (incoming, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const bytes = Buffer.concat(chunks);
      const text = bytes.toString('utf8');
      const left = new Promise<void>((resolve) => {
        response.once('close', () => response.writableFinished || resolve());
      });
      const { method = '', url: path = '', headers } = incoming;
      const request = { method, path, headers, text, bytes, body: jsonIn(text), left };
      stub.received.push(request);
      await stub.handler(response, request);
    });
    return stub;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Parses a JSON body; empty for forms and binary bodies. */
function jsonIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** A complete JSON response. */
export const reply =
  (body: unknown, status = 200, contentType = 'application/json'): UpstreamHandler =>
  (response) => {
    response.writeHead(status, { 'content-type': contentType });
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  };

/** A stream of these chunks. `cut` destroys the connection at the end, `stall` leaves it open. */
export const stream =
  (chunks: readonly (string | Buffer)[], end: 'end' | 'cut' | 'stall' = 'end'): UpstreamHandler =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of chunks) await new Promise<void>((resolve) => response.write(chunk, () => resolve()));
    if (end === 'end') response.end();
    if (end === 'cut') response.destroy();
  };
