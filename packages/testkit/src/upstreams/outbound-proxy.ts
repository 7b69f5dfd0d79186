import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { localCertificate } from '../test-certificates.ts';

interface ProxyOptions {
  readonly scheme: 'http' | 'https' | 'socks5';
  /** `user:password`; absent: no credentials. */
  readonly credentials?: string;
  /** Status with which tunnels are rejected: an HTTP status, or a SOCKS code. */
  readonly refusal?: number;
}

/** A forward proxy on loopback that records the hosts of connection requests. */
export class OutboundProxyServer {
  /** `host:port` of every tunnel. */
  readonly targets: string[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #options: ProxyOptions;
  #port = 0;

  private constructor(options: ProxyOptions) {
    this.#options = options;
    this.#server = this.#create();
    this.#server.on('connection', (socket: Socket) => this.#own(socket));
  }

  static async start(options: ProxyOptions): Promise<OutboundProxyServer> {
    const proxy = new OutboundProxyServer(options);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    proxy.#port = (proxy.#server.address() as AddressInfo).port;
    return proxy;
  }

  /** Including credentials, if there are any. */
  get url(): string {
    const { scheme, credentials } = this.#options;
    return `${scheme}://${credentials ? `${credentials}@` : ''}127.0.0.1:${this.#port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #own(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => this.#sockets.delete(socket));
  }

  #create(): Server {
    const { scheme, credentials, refusal } = this.#options;
    if (scheme === 'socks5') return createServer((socket) => void this.#socks(socket).catch(() => socket.destroy()));
    const server = scheme === 'https' ? createHttpsServer(localCertificate) : createHttpServer();
    const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
    server.on('connect', (request, socket: Socket) => {
      if (request.headers['proxy-authorization'] !== expected) {
        socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
        return;
      }
      this.targets.push(request.url ?? '');
      if (refusal) socket.end(`HTTP/1.1 ${refusal} Refused\r\n\r\nsecret details`);
      else this.#tunnel(socket, request.url ?? '', 'HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n');
    });
    return server;
  }

  #tunnel(client: Socket, target: string, reply: string | Buffer): void {
    const at = target.lastIndexOf(':');
    const upstream = connect(Number(target.slice(at + 1)), target.slice(0, at).replace(/[[\]]/g, ''), () => {
      client.write(reply);
      client.pipe(upstream).pipe(client);
    });
    this.#own(upstream);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  }

  async #socks(socket: Socket): Promise<void> {
    const { credentials, refusal } = this.#options;
    const [, count = 0] = await read(socket, 2);
    const methods = [...(await read(socket, count))];
    const method = credentials ? 2 : 0;
    if (!methods.includes(method)) {
      socket.end(Buffer.from([5, 0xff]));
      return;
    }
    socket.write(Buffer.from([5, method]));
    if (credentials && !(await isLoggedIn(socket, credentials))) return;
    const [, , , type = 0] = await read(socket, 4);
    const host = await readHost(socket, type);
    const port = (await read(socket, 2)).readUInt16BE();
    this.targets.push(`${host}:${port}`);
    const reply = Buffer.from([5, refusal ?? 0, 0, 1, 127, 0, 0, 1, 0, 0]);
    if (refusal) socket.end(reply);
    else this.#tunnel(socket, `${host}:${port}`, reply);
  }
}

async function isLoggedIn(socket: Socket, credentials: string): Promise<boolean> {
  const [, nameLength = 0] = await read(socket, 2);
  const name = await read(socket, nameLength);
  const [secretLength = 0] = await read(socket, 1);
  const secret = await read(socket, secretLength);
  const isRight = `${name}:${secret}` === credentials;
  socket.write(Buffer.from([1, isRight ? 0 : 1]));
  if (!isRight) socket.end();
  return isRight;
}

async function readHost(socket: Socket, type: number): Promise<string> {
  if (type === 3) return (await read(socket, (await read(socket, 1))[0] ?? 0)).toString();
  if (type === 1) return (await read(socket, 4)).join('.');
  const bytes = await read(socket, 16);
  return Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16)).join(':');
}

async function read(socket: Socket, length: number): Promise<Buffer> {
  for (;;) {
    const bytes = socket.read(length) as Buffer | null;
    if (bytes?.length === length) return bytes;
    if (bytes || socket.readableEnded || socket.destroyed) throw new Error('closed');
    await new Promise((resolve) => socket.once('readable', resolve).once('close', resolve));
  }
}
