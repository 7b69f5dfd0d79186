import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial } from 'node:net';
import { completion, plainPrice } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { relayScene } from '../../testing/relay-scene.ts';
import { startTestApp } from '../../testing/test-app.ts';

/** Stands before PostgreSQL, and can lose the answer to a commit, or the commit itself. */
async function forgetfulProxy(url: string) {
  const target = new URL(url);
  let loses: 'answer' | 'commit' | undefined;
  let losses = 0;
  const server = createServer((near) => {
    const far = dial(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.on('error', () => undefined);
      socket.on('close', () => other.end());
    }
    far.on('data', (bytes) => near.write(bytes));
    near.on('data', (bytes: Buffer) => {
      if (loses === undefined || !bytes.includes('commit')) return void far.write(bytes);
      if (loses === 'answer') far.write(bytes);
      loses = undefined;
      losses += 1;
      far.removeAllListeners('data').resume();
      near.destroy();
      far.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: proxied.href,
    lose: (what: 'answer' | 'commit') => {
      loses = what;
    },
    get losses() {
      return losses;
    },
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

test.each(['answer', 'commit'] as const)(
  '[A9.4] a connection that breaks at a commit, with its %s lost: the request is charged and written down once',
  async (lost) => {
    await using base = await startTestApp();
    const { databaseUrl = '' } = base.location;
    await using proxy = await forgetfulProxy(databaseUrl);
    const location = { ...base.location, databaseUrl: proxy.url };
    await using app = await startTestApp({ beside: { ...base, location } });
    const scene = await relayScene(app, { upstreams: [completion()] });
    expect((await scene.chat()).status).toBe(200);
    proxy.lose(lost);
    expect((await scene.chat()).status).toBe(200);
    expect(proxy.losses).toBe(1);
    const { user, logs, drift } = await scene.books();
    expect(user).toMatchObject({ used_quota: 2 * plainPrice, request_count: 2 });
    expect([logs.length, drift]).toEqual([2, 0]);
    await scene.close();
  },
);
