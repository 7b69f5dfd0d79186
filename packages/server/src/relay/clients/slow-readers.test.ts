import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { done, plainPrice, stop, textChunk, type UpstreamHandler, usageEvent } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({});

type Scene = Awaited<ReturnType<typeof relayFixture>>;

test('applies backpressure to the upstream when a client stops reading, and delivers everything when it resumes', async () => {
  const event = textChunk('x'.repeat(64 * 1024));
  const events = 1500;
  let written = 0;
  const fast: UpstreamHandler = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (; written < events && !response.destroyed; written += 1) {
      if (!response.write(event)) await once(response, 'drain');
    }
    response.end(stop + usageEvent + done);
  };
  const scene = await relayFixture(app, { upstreams: [fast], quota: 1_000_000_000_000 });
  const before = process.memoryUsage().rss;
  const socket = openRaw(scene);
  socket.pause();
  await expect.poll(() => written).toBeGreaterThan(0);
  const settledCount = await untilStill(() => written);
  expect(settledCount).toBeLessThan(events / 2);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  let received = 0;
  let end = '';
  socket.on('data', (bytes: Buffer) => {
    received += bytes.length;
    end = (end + bytes.subarray(-64).toString('latin1')).slice(-64);
    if (end.includes('[DONE]')) socket.destroy();
  });
  socket.resume();
  await once(socket, 'close');
  expect(received).toBeGreaterThan(events * event.length);
  expect((await scene.books()).logs).toMatchObject([{ type: 2, quota: plainPrice }]);
  await scene.close();
});

function openRaw(scene: Scene): Socket {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  const body = JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'hi' }] });
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    'host: headgate',
    `authorization: Bearer sk-${scene.token.key}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return socket;
}

/** Returns the count once it stops changing. */
async function untilStill(count: () => number): Promise<number> {
  let last = -1;
  await expect
    .poll(
      () => {
        const isStill = count() === last;
        last = count();
        return isStill;
      },
      { interval: 300 },
    )
    .toBe(true);
  return last;
}
