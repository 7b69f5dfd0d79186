import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  chatResponse,
  done,
  reply,
  stop,
  stream,
  textChunk,
  type UpstreamHandler,
  usageEvent,
} from '@headgate/testkit';
import { expect, test } from 'vitest';
import { RandomRequests, seededRandom } from '../../testing/relay/random-requests.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { rotatedSample } from '../../testing/sample.ts';
import { startTestApp } from '../../testing/test-app.ts';

const batches = 6;
const batchSize = 60;
/** Maximum points for the prompt and the message overhead, in addition to the token limit. */
const besideTheLimit = 3000;
const pointsPerToken = 10;

const respond: UpstreamHandler = (response, request) =>
  (request.body['stream'] === true ? stream([textChunk('Hi'), stop, usageEvent, done]) : reply(chatResponse()))(
    response,
    request,
  );

/** Sends the bytes, waits briefly for a response and disconnects; resolves when everything is closed. */
function throwAt(url: string, bytes: Buffer, isRude: boolean): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    const firstData = new Promise((onFirstData) => socket.once('data', onFirstData));
    socket.resume();
    socket.write(bytes, () => {
      if (isRude) socket.destroy();
      else void Promise.race([firstData, sleep(20)]).then(() => socket.end());
    });
  });
}

test.each(rotatedSample([20_261_115, 7], 0, 1))(
  '[A24.1] [A24.2] random bytes, headers, paths, methods and bodies (seed %i) neither crash the process nor leave anything reserved',
  async (seed) => {
    const app = await startTestApp();
    const scene = await relayFixture(app, { upstreams: [respond], quota: 10_000_000 });
    const random = seededRandom(seed);
    const requests = new RandomRequests(random, `sk-${scene.token.key}`);
    for (let batch = 0; batch < batches; batch += 1) {
      const thrown = Array.from({ length: batchSize }, () => throwAt(app.url, requests.next(), random() < 0.3));
      await Promise.all(thrown);
      expect((await app.client().request('GET', '/api/status')).status).toBe(200);
      await expectNothingHeld(scene);
    }
    await scene.close();
    // Waits for every request that was started.
    await app.close();
  },
);

type Scene = Awaited<ReturnType<typeof relayFixture>>;

/**
 * Repeats a request for nearly the whole remaining balance until it succeeds; a leaked reservation would make it fail.
 */
async function expectNothingHeld(scene: Scene): Promise<void> {
  for (;;) {
    const { user, drift } = await scene.books();
    expect(drift).toBe(0);
    const max_tokens = Math.floor((user.quota - besideTheLimit) / pointsPerToken);
    const response = await scene.chat({ max_tokens });
    await response.text();
    if (response.status === 200) return;
    // A request whose client disconnected may settle a little later; with a leaked reservation it would never succeed.
    expect([402, 429]).toContain(response.status);
  }
}
