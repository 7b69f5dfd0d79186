import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { ClientDisconnect, type ClientSink } from '../ports/client-sink.ts';
import type { Caller, Outcome, Ports } from '../ports/ports.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { Account } from '../quota/account.ts';
import { Reservation } from '../quota/reservation.ts';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { readRequest } from '../request/read-request.ts';
import { testRatios } from '../testing/no-ratios.ts';
import { noStoredResponses } from '../testing/no-responses.ts';
import { relayCall } from './start-relay.ts';
import { UpstreamServices } from './upstream-services.ts';

const chunk = (fields: object) => `data: ${JSON.stringify({ choices: [{ index: 0, ...fields }] })}\n\n`;
const message = chunk({ delta: { content: 'one two three four' } });
const end = `${chunk({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`;
/** Resolves when the text has reached the client. */
let delivered = Promise.withResolvers<void>();

const server = createServer(async (request, response) => {
  if (request.url === '/v1/audio/speech') {
    response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('ID3');
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(message);
  await delivered.promise;
  response.end(end);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const services = new UpstreamServices({ connectMs: 1000, firstByteMs: 10_000, idleMs: 10_000 });
afterAll(async () => {
  await services.close();
  server.close();
});

const channel: RelayChannel = {
  id: 1,
  priority: 0,
  weight: 0,
  type: 8,
  name: 'stub',
  key: 'key',
  other: '',
  systemPrompt: '',
  baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  groups: [],
  config: {},
  modelMapping: new Map(),
};

/** Sends a request whose price lookup fails after part of the response was delivered. */
async function chargedAtFault(kind: 'chat' | 'speech', body: object) {
  delivered = Promise.withResolvers();
  const user = new Account(1_000_000);
  const settled: Outcome[] = [];
  let sent = '';
  let isFaulty = true;
  const caller: Caller = {
    userId: 1,
    username: 'u',
    tokenId: 1,
    tokenName: 't',
    groups: [''],
    pinnedChannel: undefined,
    free: user.free,
    isBalanceUnknown: false,
    reserve: (points, min) => Reservation.open({ user, token: undefined }, points, min),
  };
  const ports: Ports = {
    route: () => ({ group: '', channels: [channel] }),
    limits: () => undefined,
    noRouteReason: () => 'unknown_model',
    fallbackRoute: () => undefined,
    retryShare: () => 10,
    ratios: () => {
      if (sent !== '' && isFaulty) {
        isFaulty = false;
        throw new TypeError('a fault of our own');
      }
      return testRatios;
    },
    storedUpstreamResponse: async () => undefined,
    storedUpstreamItems: async () => [],
    responses: noStoredResponses,
    retries: () => 3,
    assumptions: () => ({ typicalCompletion: 500, longestCompletion: 1000 }),
    estimatesTokens: () => true,
    retriesEmptyResponses: () => false,
    countFreeResponse: () => true,
    unpricedFieldsAllowed: () => [],
    rejectsUnpricedModels: () => false,
    settle: async (reservation, outcome) => {
      reservation.settle(outcome.quota);
      settled.push(outcome);
    },
    channelFailed: () => expect.fail('no channel is to blame'),
    channelFailureConfirmed: () => undefined,
    keyUsed: () => undefined,
    keyFailed: () => expect.fail('no key is to blame'),
    roll: () => 0,
    clock: () => 0,
    wallClock: () => 0,
  };
  const client: ClientSink = {
    disconnect: new ClientDisconnect(),
    ignored: [],
    limits: undefined,
    servedModel: undefined,
    startedAt: undefined,
    start: () => undefined,
    onDrained: () => undefined,
    get isStarted() {
      return sent !== '';
    },
    write: (bytes) => {
      sent += bytes.toString();
      delivered.resolve();
      return true;
    },
    end: () => undefined,
    onInternalError: () => undefined,
    abort: () => undefined,
  };
  const request = readRequest(endpointKinds[kind], Buffer.from(JSON.stringify({ model: 'gpt-4o', ...body })));
  const memory = { take: () => undefined, cover: () => undefined };
  await expect(relayCall(ports, services, { caller, request, client, requestId: 'r', memory })).rejects.toThrow(
    'fault',
  );
  return { settled, held: user.held };
}

const question = { stream: true, messages: [{ role: 'user', content: 'hi' }] };

const responseTexts = { input: 'hello', voice: 'alloy' };
const none = { least: 0, most: 0 };

test.each([
  { what: 'charges the delivered part of a stream', kind: 'chat', body: question, completion: { least: 1, most: 20 } },
  { what: 'charges the estimate of speech', kind: 'speech', body: responseTexts, completion: none },
] as const)('[A24.2] $what after an internal error, and nothing stays reserved', async ({ kind, body, completion }) => {
  const { settled, held } = await chargedAtFault(kind, body);
  expect(settled).toMatchObject([{ channel: 1, endedBy: 'server', quota: expect.any(Number) }]);
  expect(settled[0]?.quota).toBeGreaterThan(0);
  expect(settled[0]?.completionTokens).toBeGreaterThanOrEqual(completion.least);
  expect(settled[0]?.completionTokens).toBeLessThanOrEqual(completion.most);
  expect(held).toBe(0);
});
