import { expect, test } from 'vitest';
import { RawServer, stalledResponse } from '../../testing/relay/raw-server.ts';
import { OutgoingError, requestText } from './request-json.ts';

test.each([
  ['does not respond', () => undefined, /timed out/],
  ['starts a response and stalls', stalledResponse, /timed out|disconnected/],
])('[A53.8] a request times out when the server %s', async (_, response, message) => {
  await using server = await RawServer.start(response);
  const failure = await requestText(`${server.url}/`, { timeoutMs: 50 }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(OutgoingError);
  expect(failure).toMatchObject({ kind: 'unreachable', message: expect.stringMatching(message) });
});
