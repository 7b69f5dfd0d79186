import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { serverShuttingDownError } from '@headgate/relay';
import { afterAll, expect, test } from 'vitest';
import { HttpClientSink } from './http-client-sink.ts';

const server = createServer();
await once(server.listen(0, '127.0.0.1'), 'listening');
afterAll(() => void server.close());

/** A client waiting for its response, with two disconnect listeners. The first one throws. */
async function waitingClient() {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  const [received, faults]: [string[], unknown[]] = [[], []];
  const client = new HttpClientSink(response, { requestId: 'one', onFault: (error) => faults.push(error) });
  client.disconnect.addEventListener('abort', () => {
    received.push('first');
    throw new TypeError('of the first');
  });
  client.disconnect.addEventListener('abort', () => received.push('second'));
  return { socket, response, client, received, faults };
}

test('[A24.2] calls all disconnect listeners even if one throws', async () => {
  const { socket, response, received, faults } = await waitingClient();
  const closed = once(response, 'close');
  socket.destroy();
  await closed;
  expect(received).toEqual(['first', 'second']);
  expect(faults).toEqual([new TypeError('of the first')]);
});

test('[A24.2] closes only the affected connection if a listener throws during shutdown', async () => {
  const { socket, client, received, faults } = await waitingClient();
  const closed = once(socket, 'close');
  client.endNow(serverShuttingDownError());
  await closed;
  expect(received).toEqual(['first', 'second']);
  expect(faults).toEqual([new TypeError('of the first')]);
});

test('drops upstream headers that are reserved or invalid in Node', async () => {
  const { socket, client } = await waitingClient();
  client.start(200, {
    'x-request-id': 'two',
    'access-control-allow-origin': 'http://one.example',
    'x-odd': 'a\nb',
    etag: '1',
  });
  client.end(Buffer.from('.'));
  const [head] = (await once(socket.setEncoding('latin1'), 'data')) as [string];
  socket.destroy();
  const names = head.split('\r\n').map((line) => line.split(':')[0]);
  expect(head).toContain('x-request-id: one\r\n');
  expect(head).toContain('access-control-allow-origin: *\r\n');
  expect(names.filter((name) => name === 'x-request-id' || name === 'access-control-allow-origin')).toHaveLength(2);
  expect(names).toContain('etag');
  expect(names).not.toContain('x-odd');
});

test('[A63.8] limits client-chosen text in a header to 1 kB', async () => {
  const { socket, client } = await waitingClient();
  client.ignored = ['temperature', 'é,\r\nset-cookie: a=b', 'x'.repeat(200_000), ...Array<string>(500).fill('field')];
  client.servedModel = '模型'.repeat(100_000);
  client.start(200, { 'content-type': 'application/octet-stream' });
  client.end(Buffer.from('.'));
  const [head] = (await once(socket.setEncoding('latin1'), 'data')) as [string];
  socket.destroy();
  const value = (name: string) => new RegExp(`\r\n${name}: ([^\r]*)\r\n`).exec(head)?.[1] ?? '';
  expect(value('x-headgate-ignored')).toMatch(
    /^temperature, %C3%A9%2C%0D%0Aset-cookie:%20a=b, x{100}\.\.\., field, .*\.\.\.$/,
  );
  expect(value('x-headgate-ignored').length).toBeLessThanOrEqual(1024);
  expect(value('x-headgate-model')).toMatch(/^(?:%[0-9A-F]{2}){300,}\.\.\.$/);
  expect(value('content-disposition')).toBe('attachment');
  expect(value('set-cookie')).toBe('');
});
