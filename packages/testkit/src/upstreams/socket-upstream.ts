import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ReceivedRequest, UpstreamHandler } from './stub-upstream.ts';

const protocolId = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const textOpcode = 0x81;
const closeOpcode = 0x88;

/** Fake provider on a WebSocket: receives one message, then sends the response in chunks. */
export class SocketUpstream {
  readonly url: string;
  readonly received: ReceivedRequest[] = [];
  handler: UpstreamHandler;
  /** Response returned instead of upgrading the connection. */
  rejection: { readonly status: number; readonly body: string } | undefined;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();

  private constructor(server: Server, response: UpstreamHandler) {
    this.#server = server;
    this.handler = response;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(response: UpstreamHandler): Promise<SocketUpstream> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const upstream = new SocketUpstream(server, response);
    server.on('upgrade', (request, socket) => upstream.#greet(request, socket));
    return upstream;
  }

  /** Number of open connections. */
  get open(): number {
    return this.#sockets.size;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #greet({ method = '', url: path = '', headers }: IncomingMessage, socket: Duplex): void {
    this.#sockets.add(socket);
    const left = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    if (this.rejection) {
      const { status, body } = this.rejection;
      socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    }
    socket.on('close', () => this.#sockets.delete(socket)).on('error', () => socket.destroy());
    if (this.rejection) return;
    const accept = createHash('sha1')
      .update(headers['sec-websocket-key'] + protocolId)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
    let received = Buffer.alloc(0);
    const listen = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const text = messageIn(received);
      if (text === undefined) return;
      socket.off('data', listen);
      socket.on('data', () => socket.end());
      const request = { method, path, headers, text, bytes: Buffer.from(text), body: JSON.parse(text), left };
      this.received.push(request);
      void this.handler(socketResponse(socket), request);
    };
    socket.on('data', listen);
  }
}

/** Adapts a socket to `ServerResponse`: each write sends a message, `end` closes the socket. */
const socketResponse = (socket: Duplex): ServerResponse =>
  ({
    writeHead: () => undefined,
    write: (text: string, done?: () => void) => socket.write(frameOf(textOpcode, Buffer.from(text)), done),
    end: () => socket.end(frameOf(closeOpcode, Buffer.alloc(0))),
    destroy: () => socket.destroy(),
  }) as unknown as ServerResponse;

function frameOf(opcode: number, payload: Buffer): Buffer {
  const long = Buffer.alloc(2);
  long.writeUInt16BE(payload.length);
  const length = payload.length < 126 ? Buffer.from([payload.length]) : Buffer.concat([Buffer.from([126]), long]);
  return Buffer.concat([Buffer.from([opcode]), length, payload]);
}

/** First message of the client; undefined until it is complete. Client messages are masked. */
function messageIn(bytes: Buffer): string | undefined {
  if (bytes.length < 6) return undefined;
  const short = bytes.readUInt8(1) & 0x7f;
  if (short === 127) throw new Error('a message this long is not expected');
  const start = short === 126 ? 4 : 2;
  const length = short === 126 ? bytes.readUInt16BE(2) : short;
  const mask = bytes.subarray(start, start + 4);
  const masked = bytes.subarray(start + 4, start + 4 + length);
  if (masked.length < length) return undefined;
  return Buffer.from(masked.map((byte, index) => byte ^ (mask[index % 4] ?? 0))).toString('utf8');
}
