import { randomUUIDv7 } from 'node:crypto';
import {
  type Outcome,
  type Ports,
  RelayError,
  type RelayRequest,
  type Route,
  type RouteMirror,
  relayCall,
  serverShuttingDownError,
  type UpstreamServices,
  withIsolatedHealth,
} from '@headgate/relay';
import type { OptionService } from '../../platform/options/option-service.ts';
import type { RequestRecord } from '../../records/logs/log-service.ts';
import type { TokenCaller } from '../callers/token-caller.ts';
import { requestRecord } from '../run/settlement.ts';
import type { Binding } from '../upstreams/binding.ts';
import { DiscardingSink } from './discarding-sink.ts';
import { MirrorCaller, mirrorPorts } from './mirror-ports.ts';
import { mirroredRequest } from './mirrored-request.ts';

interface TrafficMirrorDependencies {
  readonly ports: Ports<TokenCaller>;
  /** Channels that offer a model to these groups. */
  readonly channels: {
    route(groups: readonly string[], model: string, binding: Binding | undefined): Route | undefined;
  };
  readonly upstreamServices: UpstreamServices;
  readonly options: Pick<OptionService, 'values'>;
  /** Name of this node in the log. */
  readonly node: string;
  readonly write: (rows: readonly RequestRecord[]) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/** Maximum in-flight copies per process; further requests are not copied. */
const maxInFlight = 8;
/** Bytes that a copy may fetch, such as images by URL. */
const maxFetchedBytes = 8 * 1024 * 1024;

/**
 * Sends copies of a share of the requests to another model or channel, after their clients have received the response.
 * The responses to the copies are discarded. The gateway pays: copies are logged with their cost and without a charge.
 */
export class TrafficMirror {
  readonly #dependencies: TrafficMirrorDependencies;
  readonly #ports: Ports<MirrorCaller>;
  readonly #services: UpstreamServices;
  readonly #inFlight = new Map<DiscardingSink, Promise<void>>();
  #isClosed = false;

  constructor(dependencies: TrafficMirrorDependencies) {
    this.#dependencies = dependencies;
    this.#ports = mirrorPorts(dependencies.ports, (outcome) => this.#log(outcome));
    this.#services = withIsolatedHealth(dependencies.upstreamServices);
  }

  /** Copies a served request if a rule says so. Returns immediately. */
  offer(caller: TokenCaller, request: RelayRequest, requestId: string): void {
    const found = this.#dependencies.ports.route(caller, request.model);
    const mirror = found?.rule?.mirror;
    if (!mirror || this.#isClosed || this.#inFlight.size >= maxInFlight) return;
    if (this.#ports.roll() * 100 >= mirror.percent) return;
    const copy = mirroredRequest(request, mirror.model || request.model);
    const route = copy && this.#routeOf(mirror, [found.group], { model: copy.model, binding: caller.entry.binding });
    if (!copy || !route) return;
    const client = new DiscardingSink(this.#dependencies.onFailure);
    const sent = this.#send(copy, new MirrorCaller(route, requestId), client).finally(() =>
      this.#inFlight.delete(client),
    );
    this.#inFlight.set(client, sent);
  }

  /** Waits until all in-flight copies have ended and are logged. */
  async idle(): Promise<void> {
    await Promise.all(this.#inFlight.values());
  }

  /** Ends all in-flight copies. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const client of this.#inFlight.keys()) client.disconnect.leave(serverShuttingDownError());
    await this.idle();
  }

  /** Copies stay within the channels that the token is bound to. */
  #routeOf(
    { channel }: RouteMirror,
    groups: readonly string[],
    { model, binding }: { readonly model: string; readonly binding: Binding | undefined },
  ): Route | undefined {
    const route = this.#dependencies.channels.route(groups, model, binding);
    if (!route || channel === '') return route;
    const channels = route.channels.filter(({ name }) => name === channel);
    return channels.length > 0 ? { ...route, channels } : undefined;
  }

  async #send(request: RelayRequest, caller: MirrorCaller, client: DiscardingSink): Promise<void> {
    const requestId = randomUUIDv7();
    try {
      await relayCall(this.#ports, this.#services, { caller, request, client, requestId, memory: new CopyMemory() });
    } catch (error) {
      // An upstream error is logged like that of any request.
      if (!(error instanceof RelayError)) this.#dependencies.onFailure(error);
    }
  }

  async #log(outcome: Outcome<MirrorCaller>): Promise<void> {
    const { options, node, write, onFailure } = this.#dependencies;
    if (!options.values.LogConsumeEnabled && !outcome.endedBy) return;
    const detail = JSON.stringify({ mirror_of: outcome.caller.copyOf });
    try {
      await write([{ ...requestRecord({ ...outcome, quota: 0 }, node), detail }]);
    } catch (error) {
      onFailure(error);
    }
  }
}

/** Bounds the memory of a copy. */
class CopyMemory {
  #taken = 0;

  take(bytes: number): void {
    this.#taken += bytes;
    if (this.#taken > maxFetchedBytes) throw new RelayError(413, 'The request is too large to be mirrored');
  }

  cover(bytes: number): void {
    if (bytes > maxFetchedBytes) throw new RelayError(413, 'The request is too large to be mirrored');
  }
}
