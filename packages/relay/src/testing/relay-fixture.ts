import { StubUpstream, type UpstreamHandler } from '@headgate/testkit';
import { afterAll } from 'vitest';
import type { ClientSink } from '../ports/client-sink.ts';
import type { Caller, Outcome, Ports } from '../ports/ports.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { RelayError } from '../ports/relay-error.ts';
import { Account } from '../quota/account.ts';
import { Reservation } from '../quota/reservation.ts';
import { type EndpointKind, endpointKinds, errorDialectOf } from '../request/endpoint-kinds.ts';
import { readRequest } from '../request/read-request.ts';
import { relayCall } from '../run/start-relay.ts';
import { UpstreamServices } from '../run/upstream-services.ts';
import type { Timeouts } from '../upstream/upstream.ts';
import { testRatios } from './no-ratios.ts';
import { noStoredResponses } from './no-responses.ts';
import { ResponseSink } from './response-sink.ts';

type Address = Parameters<typeof readRequest>[3];

interface FixtureOptions {
  /** One channel per upstream, tried in this order. */
  readonly upstreams?: readonly UpstreamHandler[];
  /** Channel properties other than the fake upstream's URL, or a function of that URL and its handler. */
  readonly channel?: Partial<RelayChannel> | ((url: string, response: UpstreamHandler) => Partial<RelayChannel>);
  readonly quota?: number;
  /** Quota of a token with a limit. */
  readonly tokenQuota?: number;
  readonly retries?: number;
  /** Overrides of the default ports. */
  readonly ports?: Partial<Ports>;
  /** Breaks the client sink before the request starts. */
  readonly client?: (client: ClientSink) => void;
}

interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly address?: Address;
}

const longTimeouts: Timeouts = { connectMs: 2000, firstByteMs: 30_000, idleMs: 30_000, tickMs: 40 };
let channels = 0;
let requests = 0;

/** Creates relays with real sockets to fake upstreams for the tests of a file, and closes them after the last test. */
export function useRelayFixtures(timeouts: Timeouts = longTimeouts, usual: FixtureOptions = {}) {
  // Long timeout, because a late count would be replaced by an estimate.
  const services = new UpstreamServices(timeouts, { countingPatienceMs: 60_000 });
  const stages: RelayFixture[] = [];
  afterAll(async () => {
    await Promise.all(stages.map((fixture) => fixture.close()));
    await services.close();
  });
  return async (options: FixtureOptions = {}): Promise<RelayFixture> => {
    const all = { ...usual, ...options };
    const upstreams = await Promise.all((all.upstreams ?? []).map((reply) => StubUpstream.start(reply)));
    const fixture = new RelayFixture(services, upstreams, all);
    stages.push(fixture);
    return fixture;
  };
}

/**
 * A caller with quota, channels to fake upstreams and recorded settlements. Ports are in memory, without a database.
 */
export class RelayFixture {
  readonly upstreams: readonly StubUpstream[];
  readonly channels: readonly RelayChannel[];
  readonly user: Account;
  readonly token: Account | undefined;
  readonly #quota: number;
  readonly services: UpstreamServices;
  readonly #ports: Ports;
  readonly #spoil: FixtureOptions['client'];
  readonly #outcomes: Outcome[] = [];
  readonly #running = new Set<Promise<void>>();
  /** Ids of channels reported as failed. */
  readonly blamed: number[] = [];

  constructor(services: UpstreamServices, upstreams: readonly StubUpstream[], options: FixtureOptions) {
    this.services = services;
    this.upstreams = upstreams;
    this.channels = upstreams.map((upstream, index) => channelTo(upstream, upstreams.length - index, options.channel));
    this.#spoil = options.client;
    this.#quota = options.quota ?? 1_000_000;
    this.user = new Account(this.#quota);
    this.token = options.tokenQuota === undefined ? undefined : new Account(options.tokenQuota);
    this.#ports = { ...this.#usualPorts(options.retries ?? 0), ...options.ports };
  }

  /** Turns of the event loop that heavy requests wait for. */
  get turns() {
    return this.services.turns;
  }

  chat(body: object = {}, requestOptions: RequestOptions = {}): Promise<Response> {
    const question = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...body };
    return this.post(endpointKinds.chat, question, requestOptions);
  }

  /** Rejects if the client disconnects before response headers. */
  post(kind: EndpointKind, body: object, { signal, address }: RequestOptions = {}): Promise<Response> {
    const client = new ResponseSink(signal);
    this.#spoil?.(client);
    const running = this.#run(kind, Buffer.from(JSON.stringify(body)), client, address);
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
    return client.response;
  }

  /** Balance and settlements after every request has ended. */
  async ledger() {
    await Promise.all(this.#running);
    const used = this.#outcomes.reduce((sum, { quota }) => sum + quota, 0);
    const { balance, held } = this.user;
    return {
      user: { quota: balance, usedQuota: used, held },
      outcomes: this.#outcomes as readonly Outcome[],
      /** Nonzero if points were lost or created. */
      drift: this.#quota - balance - used,
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.upstreams.map((upstream) => upstream.close()));
  }

  async #run(kind: EndpointKind, bytes: Buffer, client: ResponseSink, address: Address): Promise<void> {
    requests += 1;
    const requestId = `request-${requests}`;
    try {
      const request = readRequest(kind, bytes, {}, address);
      const memory = { take: () => undefined, cover: () => undefined };
      await relayCall(this.#ports, this.services, { caller: this.#caller(), request, client, requestId, memory });
    } catch (error) {
      const failure = error instanceof RelayError ? error : new RelayError(500, 'Internal error');
      if (client.isStarted) return client.abort();
      const { status, body } = errorDialectOf(kind).writeError(failure.asFailure(requestId));
      const retryAfter = failure.retryAfter !== undefined && { 'retry-after': String(failure.retryAfter) };
      client.reject(status, { 'content-type': 'application/json', ...retryAfter }, JSON.stringify(body));
    }
  }

  #caller(): Caller {
    const { user, token } = this;
    return {
      userId: 1,
      username: 'ada',
      tokenId: 1,
      tokenName: 'relay',
      groups: ['default'],
      pinnedChannel: undefined,
      isBalanceUnknown: false,
      get free() {
        return token ? Math.min(user.free, token.free) : user.free;
      },
      reserve: (points, min) => Reservation.open({ user, token }, points, min),
    };
  }

  #usualPorts(retries: number): Ports {
    return {
      route: () => ({ group: 'default', channels: this.channels }),
      noRouteReason: () => 'unknown_model',
      fallbackRoute: () => undefined,
      retryShare: () => 10,
      storedUpstreamResponse: async () => undefined,
      storedUpstreamItems: async () => [],
      responses: noStoredResponses,
      limits: () => undefined,
      ratios: () => testRatios,
      retries: () => retries,
      assumptions: () => ({ typicalCompletion: 500, longestCompletion: 128_000 }),
      estimatesTokens: () => false,
      retriesEmptyResponses: () => false,
      countFreeResponse: () => true,
      unpricedFieldsAllowed: () => [],
      rejectsUnpricedModels: () => false,
      // Recorded before settling, because settling twice throws.
      settle: async (reservation, outcome) => {
        this.#outcomes.push(outcome);
        reservation.settle(outcome.quota);
      },
      channelFailed: ({ id }) => this.blamed.push(id),
      channelFailureConfirmed: () => undefined,
      keyUsed: () => undefined,
      keyFailed: () => undefined,
      roll: () => 0,
      clock: () => performance.now(),
      wallClock: Date.now,
    };
  }
}

function channelTo(
  { url: baseUrl, handler }: StubUpstream,
  priority: number,
  fields: FixtureOptions['channel'] = {},
): RelayChannel {
  channels += 1;
  return {
    id: channels,
    priority,
    weight: 0,
    type: 8,
    name: 'stand-in',
    key: 'upstream-key-123456',
    baseUrl,
    other: '',
    groups: ['default'],
    config: {},
    modelMapping: new Map(),
    systemPrompt: '',
    ...(typeof fields === 'function' ? fields(baseUrl, handler) : fields),
  };
}
