import { connect } from 'node:net';

/** Sends raw bytes. Resolves with everything received once the other side closes the connection. */
export function rawBytes(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname);
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  });
}

/** Head of a request that closes the connection after the response. */
export const rawHead = (line: string, headers: readonly string[] = []): string =>
  [`${line} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n');

export const parseStatus = (received: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0);
