import { type AddressInfo, connect, createServer } from 'node:net';

/**
 * Runs as a separate process: forwards bytes to a port, and delays the responses by the given number of milliseconds.
 */
const [port = '', delay = ''] = process.argv.slice(2);

const server = createServer((near) => {
  const far = connect(Number(port), '127.0.0.1');
  near.setNoDelay(true);
  far.setNoDelay(true);
  near.pipe(far);
  far.on('data', (bytes) => setTimeout(() => near.write(bytes), Number(delay)));
  for (const [socket, other] of [
    [near, far],
    [far, near],
  ] as const) {
    socket.on('error', () => undefined);
    socket.on('close', () => other.destroy());
  }
});

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
