import { isIP, connect as openTcp, type Socket } from 'node:net';
import { connect as openTls } from 'node:tls';
import type { OutboundProxy } from '@headgate/contract';
import type { buildConnector as connectors } from 'undici';
import { forbiddenErrorCode, guardedLookup, isForbiddenHost, normalizedHost } from '../guards/forbidden-address.ts';
import { buildConnector } from './undici-pool.ts';
import { forbiddenMessage, UpstreamConnectionError } from './upstream-exchange.ts';

interface Target {
  /** Name or address of the provider. */
  readonly host: string;
  readonly port: number;
}

/** Opens connections to a provider through a proxy; TLS ends at the provider, whose certificate is verified. */
export function proxyConnector(proxy: OutboundProxy, timeoutMs: number): connectors.connector {
  const secure = buildConnector({ timeout: timeoutMs, allowH2: false });
  return (options, done) => {
    const isSecure = options.protocol === 'https:';
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const target = { host, port: Number(options.port) || (isSecure ? 443 : 80) };
    openTunnel(proxy, target, timeoutMs).then(
      (socket) => (isSecure ? secure({ ...options, httpSocket: socket }, done) : done(null, socket)),
      (error: Error) => done(error, null),
    );
  };
}

/** The address of the provider is checked before the proxy is contacted. */
async function openTunnel(proxy: OutboundProxy, target: Target, timeoutMs: number): Promise<Socket> {
  const address = await allowedAddress(target.host, proxy);
  const socket = connectProxy(proxy);
  const timer = setTimeout(() => socket.destroy(proxyError('timed out')), timeoutMs);
  try {
    await opened(socket, proxy.scheme === 'https' ? 'secureConnect' : 'connect');
    if (proxy.scheme === 'http' || proxy.scheme === 'https') await requestConnect(socket, proxy, target);
    else await requestSocks(socket, proxy, { ...target, host: proxy.scheme === 'socks5' ? address : target.host });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error instanceof UpstreamConnectionError ? error : unreachable(error);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Address of the provider. A name that cannot be resolved here is an error for `socks5`, which needs the address; other
 * proxies resolve the name themselves.
 */
async function allowedAddress(host: string, { scheme }: OutboundProxy): Promise<string> {
  if (isForbiddenHost(host)) throw new UpstreamConnectionError(forbiddenMessage);
  if (isIP(host) !== 0) return host;
  try {
    return await new Promise<string>((resolve, reject) => {
      guardedLookup(host, {}, (error, address) => (error ? reject(error) : resolve(String(address))));
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === forbiddenErrorCode)
      throw new UpstreamConnectionError(forbiddenMessage);
    if (scheme === 'socks5') throw new UpstreamConnectionError('the host name was not found');
    return host;
  }
}

function connectProxy({ scheme, port, ...proxy }: OutboundProxy): Socket {
  const host = normalizedHost(proxy.host);
  if (host === undefined || isForbiddenHost(host)) throw proxyError('address is not allowed');
  const options = { host, port, lookup: guardedLookup };
  const socket =
    scheme === 'https'
      ? openTls({ ...options, ...(isIP(host) === 0 && { servername: host }), ALPNProtocols: ['http/1.1'] })
      : openTcp(options);
  // Errors before and between reads are reported by the next read.
  socket.on('error', () => undefined);
  return socket.setNoDelay(true).setKeepAlive(true, keepAliveMs);
}

const keepAliveMs = 60_000;

const proxyError = (problem: string) => new UpstreamConnectionError(`the outbound proxy ${problem}`);

/** Network error messages contain addresses; error codes do not. */
function unreachable(error: unknown): UpstreamConnectionError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === forbiddenErrorCode) return proxyError('address is not allowed');
  return proxyError(code ? `could not be reached (${code})` : 'closed the connection');
}

function opened(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return waitFor(socket, event);
}

/** Resolves at the event; rejects if the socket fails or closes first. */
function waitFor(socket: Socket, event: 'connect' | 'secureConnect' | 'readable'): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      socket.off(event, onEvent).off('error', onError).off('close', onClose);
      act();
    };
    const onEvent = () => settle(resolve);
    const onError = (error: Error) => settle(() => reject(error));
    const onClose = () => settle(() => reject(socket.errored ?? new Error('closed')));
    socket.on(event, onEvent).on('error', onError).on('close', onClose);
    if (socket.destroyed) onClose();
  });
}

/** Reads exactly this many bytes. */
async function readBytes(socket: Socket, length: number): Promise<Buffer> {
  for (;;) {
    const bytes = socket.read(length) as Buffer | null;
    if (bytes?.length === length) return bytes;
    if (bytes || socket.readableEnded) throw new Error('closed');
    await waitFor(socket, 'readable');
  }
}

const maxHeadLength = 16 * 1024;
const headEnd = '\r\n\r\n';

async function requestConnect(socket: Socket, { username, password }: OutboundProxy, target: Target): Promise<void> {
  const host = `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`;
  const credentials = Buffer.from(`${username}:${password}`).toString('base64');
  const authorization = username === '' ? '' : `Proxy-Authorization: Basic ${credentials}\r\n`;
  socket.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n${authorization}\r\n`);
  let head = '';
  while (!head.endsWith(headEnd)) {
    if (head.length > maxHeadLength) throw proxyError('returned an invalid response');
    head += (await readBytes(socket, 1)).toString('latin1');
  }
  const status = Number(/^HTTP\/1\.[01] (\d{3})[ \r]/.exec(head)?.[1] ?? 0);
  if (status >= 200 && status < 300) return;
  if (status === 407) throw proxyError('rejected its credentials');
  throw proxyError(status === 0 ? 'returned an invalid response' : `refused the connection (status ${status})`);
}

const socksVersion = 5;
const authentication = { none: 0, password: 2, unacceptable: 0xff } as const;

async function requestSocks(socket: Socket, proxy: OutboundProxy, target: Target): Promise<void> {
  const methods = proxy.username === '' ? [authentication.none] : [authentication.none, authentication.password];
  socket.write(Buffer.from([socksVersion, methods.length, ...methods]));
  const [version, method] = await readBytes(socket, 2);
  if (version !== socksVersion) throw proxyError('returned an invalid response');
  if (method === authentication.password && proxy.username !== '') await logIn(socket, proxy);
  else if (method !== authentication.none) throw proxyError('rejected its credentials');
  const port = Buffer.alloc(2);
  port.writeUInt16BE(target.port);
  socket.write(Buffer.concat([Buffer.from([socksVersion, 1, 0]), socksAddress(target.host), port]));
  const [, status = 0, , type = 0] = await readBytes(socket, 4);
  if (status !== 0) throw proxyError(`refused the connection (${socksProblems[status] ?? `code ${status}`})`);
  // The address that the proxy uses.
  const length = type === 3 ? ((await readBytes(socket, 1))[0] ?? 0) : type === 4 ? 16 : 4;
  await readBytes(socket, length + port.length);
}

async function logIn(socket: Socket, { username, password }: OutboundProxy): Promise<void> {
  const [name, secret] = [username, password].map((text) => Buffer.from(text));
  if (!name || !secret) return;
  socket.write(Buffer.from([1, name.length, ...name, secret.length, ...secret]));
  const [, status] = await readBytes(socket, 2);
  if (status !== 0) throw proxyError('rejected its credentials');
}

function socksAddress(host: string): Buffer {
  if (isIP(host) === 4) return Buffer.from([1, ...host.split('.').map(Number)]);
  if (isIP(host) === 6) return Buffer.from([4, ...ipv6Bytes(host)]);
  const name = Buffer.from(host);
  if (name.length > 255) throw proxyError('does not support the host name');
  return Buffer.from([3, name.length, ...name]);
}

function ipv6Bytes(address: string): readonly number[] {
  const [start = '', end] = (URL.parse(`http://[${address}]`)?.hostname ?? '').replace(/[[\]]/g, '').split('::');
  const [left, right] = [start, end ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array<string>(8 - (left?.length ?? 0) - (right?.length ?? 0)).fill('0');
  const groups = [...(left ?? []), ...zeros, ...(right ?? [])].map((group) => Number.parseInt(group, 16));
  return groups.flatMap((group) => [group >> 8, group & 0xff]);
}

const socksProblems: Readonly<Record<number, string>> = {
  2: 'not allowed by its rules',
  3: 'network unreachable',
  4: 'host unreachable',
  5: 'connection refused',
  6: 'expired',
};
