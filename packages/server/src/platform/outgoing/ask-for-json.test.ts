import { expect, test } from 'vitest';
import { RawServer, stalled } from '../../testing/relay/raw-server.ts';
import { askForText, OutgoingFailure } from './ask-for-json.ts';

test.each([
  ['does not respond', () => undefined, /timed out/],
  ['starts a response and stalls', stalled, /timed out|disconnected/],
])('[A53.8] fails after its timeout when a server %s', async (_, answer, message) => {
  await using server = await RawServer.start(answer);
  const failure = await askForText(`${server.url}/`, { timeoutMs: 50 }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(OutgoingFailure);
  expect(failure).toMatchObject({ kind: 'unreachable', message: expect.stringMatching(message) });
});
