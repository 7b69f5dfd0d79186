import type { LogReason } from '@headgate/contract';
import {
  type AnswerStore,
  type ChannelFailure,
  type Outcome,
  type Ports,
  type RelayChannel,
  RelayError,
  type Reservation,
  shortageError,
} from '@headgate/relay';
import type { ChannelFailureFacts, ChannelHealthService } from '../catalog/channels/channel-health-service.ts';
import type { KeyUseService } from '../catalog/channels/key-use-service.ts';
import type { RelayMetrics } from '../observability/metrics/relay-metrics.ts';
import type { Change } from '../platform/db/transaction.ts';
import type { OptionService } from '../platform/options/option-service.ts';
import { nowInSeconds } from '../platform/runtime/clock.ts';
import { storageUnavailable } from '../platform/storage/storage-error.ts';
import type { StorageHealth } from '../platform/storage/storage-health.ts';
import { billingReport } from './callers/billing-report.ts';
import { type BudgetTable, ownerIn } from './callers/budget-table.ts';
import type { CallerCache } from './callers/caller-cache.ts';
import type { TokenEntry } from './callers/caller-entry.ts';
import { refusalReasonOf } from './callers/refusal-reason.ts';
import type { RefusedRequests } from './callers/refused-requests.ts';
import { beginRequest, endRequest } from './callers/requests-under-way.ts';
import { TokenCaller } from './callers/token-caller.ts';
import { type Credentials, checkToken, readCredentials } from './callers/token-check.ts';
import type { Elsewhere } from './callers/under-way-elsewhere.ts';
import type { ChargeWriter } from './charges/charge-writer.ts';
import { enderOf } from './ender-of.ts';
import type { KeptResponseService } from './kept/kept-response-service.ts';
import { withDatabaseTimeout } from './leases/database-timeout.ts';
import type { LeaseExchange } from './leases/lease-exchange.ts';
import type { LimitService } from './limits/limit-service.ts';
import { recordOf, withBodies } from './request-record.ts';
import { RouteFinder } from './routing/route-finder.ts';
import type { RoutingTable } from './routing/routing-table.ts';
import type { ChannelTable } from './upstreams/channel-table.ts';
import { failureFacts, failureReasonOf } from './upstreams/failure-reason.ts';
import { shouldDisableChannel } from './upstreams/key-rejection.ts';
import { type ModelFacts, modelFacts } from './upstreams/model-facts.ts';

interface RelayServiceDependencies {
  readonly options: OptionService;
  readonly callers: CallerCache;
  readonly budgets: BudgetTable;
  readonly channels: ChannelTable;
  readonly routing: RoutingTable;
  readonly health: Pick<ChannelHealthService, 'failed'> & {
    failedAlone(channel: number, failure: ChannelFailureFacts): void;
    answered(channel: number, model: string): void;
  };
  readonly refusedRequests: RefusedRequests;
  /** Undefined where there is only this process. */
  readonly underWayElsewhere: Elsewhere | undefined;
  readonly writer: ChargeWriter;
  readonly storage: Pick<StorageHealth, 'trouble'>;
  readonly keptResponses: KeptResponseService;
  readonly storedResponses: AnswerStore<TokenCaller>;
  readonly metrics: Pick<RelayMetrics, 'add' | 'refused'>;
  /** What rows of the log call this node; empty where it is the only one. */
  readonly node: string;
  /** Undefined where one process has all quota to itself. */
  readonly exchange: LeaseExchange | undefined;
  /** A provider said clearly that a channel's key or account is no good; `key`: which, where it has several. */
  readonly onUselessKey: (channel: number, cause: UselessKey, key?: number) => void;
  readonly keyUse: KeyUseService;
  readonly limits: LimitService;
  readonly onFinished: (outcome: Outcome) => void;
}

interface UselessKey {
  /** What the provider said. */
  readonly words: string;
  readonly status: number;
  readonly reason: LogReason;
}

interface RefusedCall {
  readonly error: unknown;
  readonly model: string;
  readonly requestId: string;
}

interface ProxyCall {
  readonly reservation: Reservation;
  readonly requestId: string;
  /** The status of the upstream; 0 when it did not answer. */
  readonly status: number;
  readonly method: string;
  readonly elapsedMs: number;
  /** Why it did not come to its end; undefined when it did. */
  readonly failure: RelayError | undefined;
}

const firstErrorStatus = 400;

/** What the relay needs, on top of the services and their memory. */
export class RelayService {
  readonly #dependencies: RelayServiceDependencies;
  readonly ports: Ports<TokenCaller>;
  readonly routes: RouteFinder;
  readonly #neighbours: ConstructorParameters<typeof TokenCaller>[2];

  constructor(dependencies: RelayServiceDependencies) {
    this.#dependencies = dependencies;
    this.routes = new RouteFinder(dependencies.channels, dependencies.routing);
    const { budgets, exchange: leases } = dependencies;
    this.#neighbours = { leases, budgets };
    this.ports = this.#makePorts();
  }

  /** Waits for the database only at the first call with a token. */
  admit(authorization: string | undefined, addressOf: () => string): TokenCaller | Promise<TokenCaller> {
    const credentials = this.#noting(undefined, () => readCredentials(authorization));
    const admitted = (found: TokenEntry | undefined) => this.#judge(found, credentials, addressOf);
    const found = this.#dependencies.callers.find(credentials.key, addressOf);
    return found instanceof Promise ? withDatabaseTimeout(found).then(admitted) : admitted(found);
  }

  /** Judged again: much may have changed while a body was on its way. */
  admitAgain(caller: TokenCaller, addressOf: () => string): TokenCaller {
    const { entry, credentials } = caller;
    const usable = this.#noting(entry, () => checkToken(entry, credentials, addressOf, this.#tokenRules()));
    return caller.isAsIn(usable) ? caller : new TokenCaller(usable, credentials, this.#neighbours);
  }

  #tokenRules() {
    const { AdminSecondFactorEnabled } = this.#dependencies.options.values;
    return { now: nowInSeconds(), demandsSecondFactor: AdminSecondFactorEnabled };
  }

  #judge(found: TokenEntry | undefined, credentials: Credentials, addressOf: () => string): TokenCaller {
    const judge = () => checkToken(found, credentials, addressOf, this.#tokenRules());
    const entry = this.#noting(found, judge);
    return new TokenCaller(entry, credentials, this.#neighbours);
  }

  /** Whoever is refused by the check has a row of it in the log. */
  #noting<T>(entry: TokenEntry | undefined, check: () => T): T {
    try {
      return check();
    } catch (error) {
      if (entry) this.refused(entry, { error, model: '', requestId: '' });
      else this.#countRefusal(error);
      throw error;
    }
  }

  #countRefusal(error: unknown): void {
    if (error instanceof RelayError) this.#dependencies.metrics.refused(error, refusalReasonOf(error));
  }

  /** Writes down that a known token's request was refused before any channel was asked, unless that has been done. */
  refused(entry: TokenEntry, { error, ...request }: RefusedCall): void {
    this.#countRefusal(error);
    if (error instanceof RelayError) this.#dependencies.refusedRequests.note(entry, { error, ...request });
  }

  /** Counts a request in, or refuses it; `end` is to be called once it is settled, however it ended. */
  begin({ entry }: TokenCaller): void {
    // Not written down: that is just what cannot be done.
    const { trouble } = this.#dependencies.storage;
    if (trouble !== undefined) {
      const error = storageUnavailable(trouble);
      this.#countRefusal(error);
      throw error;
    }
    this.#noting(entry, () =>
      beginRequest(entry, this.#dependencies.options.values, this.#dependencies.underWayElsewhere),
    );
  }

  end({ entry }: TokenCaller): void {
    endRequest(entry, this.#dependencies.options.values, this.#dependencies.underWayElsewhere);
  }

  /** What a token may ask for: of its groups, or of the channel that it insists on. */
  models(caller: TokenCaller): readonly ModelFacts[] {
    const { entry, groups, pinnedChannel } = caller;
    const { channels, options } = this.#dependencies;
    const served =
      pinnedChannel === undefined ? channels.models(groups, entry.binding) : channels.modelsOn(pinnedChannel);
    const allowed = entry.models ? served.filter((model) => entry.models?.has(model)) : served;
    const factsOf = (model: string) => modelFacts(model, this.routes.route(caller, model), options.values);
    const names = this.routes.namesOf(new Set(allowed));
    return [...allowed.map(factsOf), ...names.map(({ pattern, model }) => ({ ...factsOf(model), id: pattern }))];
  }

  /** Asked for rarely, so it is read from the database. */
  async billing({ tokenId, userId }: TokenCaller) {
    const { callers, options, writer } = this.#dependencies;
    await withDatabaseTimeout(writer.catchUp());
    const { token, user } = await callers.stored(tokenId, userId);
    if (!token || !user) throw new RelayError(401, 'The token is invalid', 'invalid_api_key', 'invalid_request_error');
    return billingReport(token, user, options.values);
  }

  #makePorts(): Ports<TokenCaller> {
    const { options } = this.#dependencies;
    return {
      route: (caller, model) => this.routes.route(caller, model),
      noRouteReason: (caller, model) => this.routes.noRouteReason(caller, model),
      fallbackRoute: (caller, model) => this.routes.fallback(caller, model),
      retryShare: () => options.values.RetryBudgetPercent / 100,
      keptAnswer: (caller, id) => this.#dependencies.keptResponses.find(caller, id),
      keptItems: (caller, ids) => this.#dependencies.keptResponses.findItems(caller, ids),
      answers: this.#dependencies.storedResponses,
      limits: (caller, request, earlier) => this.#dependencies.limits.for(caller, request, earlier),
      ratios: () => options.values,
      refusesUnpriced: () => options.values.ModelsWithoutPrice === 'refuse',
      retries: ({ pinnedChannel }) => (pinnedChannel === undefined ? options.values.RetryTimes : 0),
      assumptions: () => ({
        usualAnswer: options.values.PreConsumedQuota,
        longestAnswer: options.values.LongestAnswer,
      }),
      unpricedFieldsAllowed: () => options.values.UnpricedFieldsAllowed,
      estimatesTokens: () => options.values.ApproximateTokenEnabled,
      settle: (reservation, outcome) => {
        this.#noteHealth(outcome);
        return this.#settle(reservation, outcome);
      },
      channelFailed: (channel, failure) => {
        if (!failure.mayBeTheClients) this.#dependencies.health.failed(channel.id, failureFacts(failure));
        // Of several keys each has been judged by itself.
        if (!channel.keys) this.#judgeKey(channel, failure);
      },
      failedAlone: ({ id }, failure) => this.#dependencies.health.failedAlone(id, failureFacts(failure)),
      keyUsed: (key) => this.#dependencies.keyUse.used(key),
      keyFailed: (channel, failure) => {
        const { status, error } = failure;
        const reason = failureReasonOf(failure);
        if (channel.keyId && !failure.mayBeTheClients)
          this.#dependencies.keyUse.failed(channel.keyId, { status, reason, message: error.message });
        this.#judgeKey(channel, failure);
      },
      roll: Math.random,
      clock: () => performance.now(),
    };
  }

  proxyChannel(caller: TokenCaller, id: number): RelayChannel | undefined {
    const channel = this.#dependencies.channels.findProxy(id, caller.groups);
    return channel && this.mayUse(caller, id) ? channel : undefined;
  }

  /** Whether the token is bound to the channel, or to none. */
  mayUse({ entry: { binding } }: TokenCaller, channel: number): boolean {
    return !binding || this.#dependencies.channels.isBound(channel, binding);
  }

  /** Calls that are passed on are free, but who has nothing left makes none: one point is held meanwhile. */
  async reserveForProxy(caller: TokenCaller): Promise<Reservation> {
    let reservation = caller.reserve(1, 1, caller.groups[0]);
    if (typeof reservation === 'string' && caller.findMore) {
      await caller.findMore(1);
      reservation = caller.reserve(1, 1, caller.groups[0]);
    }
    const reserved = reservation;
    if (typeof reserved !== 'string') return reserved;
    return this.#noting(caller.entry, () => {
      throw caller.explain(reserved) ?? shortageError(reserved);
    });
  }

  /** Written down however it ended. */
  async recordProxy(caller: TokenCaller, channel: RelayChannel, call: ProxyCall): Promise<void> {
    const { reservation, requestId, elapsedMs, method, status, failure } = call;
    const outcome: Outcome<TokenCaller> = {
      caller,
      requestId,
      elapsedMs,
      firstByteMs: 0,
      group: caller.groups[0] ?? '',
      channel: channel.id,
      model: '',
      quota: 0,
      promptTokens: 0,
      completionTokens: 0,
      parts: undefined,
      cost: 0,
      isStream: false,
      endedBy: failure && enderOf(failure),
      failure: failure && { status, error: failure, channel: channel.id },
      systemPromptReset: false,
      kept: undefined,
      attempts: [],
      content: failure ? `${method}: ${failure.message}` : `${method} ${status}`,
      detail: JSON.stringify({ proxy: true, method, status }),
    };
    // An error that was passed on says nothing: it may well be the caller's.
    if (failure || status < firstErrorStatus) this.#noteHealth(outcome);
    await this.#settle(reservation, outcome);
  }

  /** Somebody changed something that is kept in memory here. */
  async onChange(change: Change): Promise<void> {
    const { callers, channels, routing } = this.#dependencies;
    const [kind, id] = change.split(':');
    if (kind === 'token' || kind === 'user') {
      await callers.refresh(kind, Number(id));
      this.#dependencies.exchange?.lookAgain({ kind, id: Number(id) });
    } else if (kind === 'budget') {
      const holders = await this.#dependencies.budgets.refresh(ownerIn(change.slice(kind.length + 1)));
      for (const holder of holders) this.#dependencies.exchange?.lookAgain({ kind, id: holder.id });
    } else if (kind === 'channel' || kind === 'channels') await channels.load();
    else if (kind === 'routing') await routing.load();
    else if (kind === 'everything') await Promise.all([callers.refreshAll(), channels.load(), routing.load()]);
    else await this.#dependencies.exchange?.onChange(change);
  }

  #judgeKey({ id, keyId }: RelayChannel, { status, error, hasClientHeaders }: ChannelFailure): void {
    if (!shouldDisableChannel(status, error, hasClientHeaders)) return;
    const reason = failureReasonOf({ status, error });
    this.#dependencies.onUselessKey(id, { words: error.message, status, reason }, keyId);
  }

  /** What a finished request says of the channel that delivered; failed tries have been told before. */
  #noteHealth({ channel, model, endedBy, failure, attempts }: Outcome): void {
    if (channel === 0) return;
    if (endedBy === undefined) this.#dependencies.health.answered(channel, model);
    else if (endedBy === 'upstream' && failure && attempts.at(-1)?.channel !== channel)
      this.#dependencies.health.failed(channel, failureFacts({ ...failure, model }));
  }

  #settle(reservation: Reservation, outcome: Outcome<TokenCaller>): Promise<void> {
    const { caller, quota, kept } = outcome;
    reservation.settle(quota);
    this.#dependencies.metrics.add(outcome);
    this.#dependencies.onFinished(outcome);
    return this.#dependencies.writer.write({
      accounts: reservation.accounts,
      charge: {
        quota,
        user: caller.userId,
        token: caller.tokenId,
        isTokenLimited: caller.isTokenLimited,
        channel: outcome.channel,
        budgets: idsOf(reservation.budgets),
        record:
          this.#dependencies.options.values.LogConsumeEnabled || outcome.endedBy
            ? withBodies(recordOf(outcome, this.#dependencies.node), caller.capture)
            : undefined,
        kept: kept && { ...kept, user: caller.userId },
      },
    });
  }
}

/** Undefined for most, which have none. */
const idsOf = (budgets: Reservation['budgets']) => (budgets.length > 0 ? budgets.map(({ id }) => id) : undefined);
