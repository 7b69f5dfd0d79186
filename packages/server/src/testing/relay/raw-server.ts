import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Writes arbitrary bytes to the socket after an HTTP request. */
export type RawResponder = (socket: Socket) => void;

/** Server that accepts HTTP requests and responds with arbitrary bytes. */
export class RawServer {
  readonly #server = createServer();
  readonly #sockets = new Set<Socket>();
  /** Response to all further requests. */
  response: RawResponder;
  /** Number of requests so far. */
  count = 0;

  private constructor(response: RawResponder) {
    this.response = response;
  }

  static async start(response: RawResponder): Promise<RawServer> {
    const made = new RawServer(response);
    made.#server.on('connection', (socket) => made.#receive(socket));
    made.#server.listen(0, '127.0.0.1');
    await once(made.#server, 'listening');
    return made;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #receive(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => this.#sockets.delete(socket));
    let received = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf('\r\n\r\n');
      const length = Number(/content-length: *(\d+)/i.exec(received.subarray(0, end).toString('latin1'))?.[1]);
      if (end < 0 || received.length < end + 4 + length) return;
      received = received.subarray(end + 4 + length);
      this.count += 1;
      this.response(socket);
    });
  }
}

const head = (status: string, headers: readonly string[] = []) =>
  [`HTTP/1.1 ${status}`, ...headers, '', ''].join('\r\n');

/** A complete response with any body. */
export const respondWith =
  (status: string, body: string | Buffer = '', headers: readonly string[] = []): RawResponder =>
  (socket) => {
    socket.write(head(status, [`content-length: ${Buffer.byteLength(body)}`, ...headers]));
    socket.write(body);
  };

/** A response whose body never ends. */
export const endlessResponse: RawResponder = (socket) => {
  const chunk = 'x'.repeat(16_384);
  const go = () => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on('drain', go);
  socket.write(head('200 OK', ['content-length: 1000000000000']), go);
};

/** A response that starts and then stalls. */
export const stalledResponse: RawResponder = (socket) =>
  void socket.write(`${head('200 OK', ['content-length: 10'])}x`);

export const switchingProtocols: RawResponder = (socket) =>
  void socket.write(head('101 Switching Protocols', ['connection: upgrade', 'upgrade: h2c']));

export const nonHttpResponse: RawResponder = (socket) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n');

export const manyHeaders: RawResponder = (socket) =>
  void socket.write(
    head(
      '200 OK',
      Array.from({ length: 5000 }, (_, nth) => `x-${nth}: ${'y'.repeat(100)}`),
    ),
  );
