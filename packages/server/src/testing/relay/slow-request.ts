import { connect, type Socket } from 'node:net';

export interface SlowRequest {
  readonly socket: Socket;
  send(bytes: string | Buffer): void;
  /** Everything received until the other side closed the connection. */
  readonly response: Promise<string>;
}

/** Sends the head of a request immediately; the test sends the body. */
export function slowRequest(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  localAddress?: string,
): SlowRequest {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, ...(localAddress !== undefined && { localAddress }) });
  const response = new Promise<string>((resolve) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
  const lines = Object.entries({ host: 'headgate', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return { socket, response, send: (bytes) => void socket.write(bytes) };
}
