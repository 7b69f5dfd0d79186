import { RelayError } from '@headgate/relay';
import type { RelayMetrics } from '../../observability/metrics/relay-metrics.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { type StorageHealth, storageUnavailableError } from '../../platform/storage/storage-health.ts';
import type { BudgetTable } from '../callers/budget-table.ts';
import type { CallerCache } from '../callers/caller-cache.ts';
import type { TokenEntry } from '../callers/caller-entry.ts';
import { beginRequest, endRequest } from '../callers/in-flight-requests.ts';
import type { RejectedRequests } from '../callers/rejected-requests.ts';
import { rejectionReasonOf } from '../callers/rejection-reason.ts';
import type { RemoteInFlightCounts } from '../callers/remote-in-flight.ts';
import { TokenCaller } from '../callers/token-caller.ts';
import { type Credentials, checkToken, readCredentials } from '../callers/token-check.ts';
import type { JwtIdentity, JwtVerifier } from '../jwt/jwt-verifier.ts';
import { type LeaseExchange, withDatabaseTimeout } from '../leases/lease-exchange.ts';

export interface AdmissionDependencies {
  readonly options: OptionService;
  readonly callers: CallerCache;
  readonly jwts: Pick<JwtVerifier, 'verify'>;
  readonly budgets: BudgetTable;
  /** Undefined if a single process owns all quota. */
  readonly exchange: LeaseExchange | undefined;
  /** In-flight requests on other nodes; undefined if there is only this process. */
  readonly inFlightElsewhere: RemoteInFlightCounts | undefined;
  readonly rejectedRequests: RejectedRequests;
  readonly storage: Pick<StorageHealth, 'trouble'>;
  readonly metrics: Pick<RelayMetrics, 'rejected'>;
}

interface RejectedRequest {
  readonly error: unknown;
  readonly model: string;
  readonly requestId: string;
}

/**
 * Authenticates API tokens and JWTs and limits the number of in-flight requests. Rejected requests of known tokens are logged.
 */
export class Admission {
  readonly #dependencies: AdmissionDependencies;
  readonly #payers: ConstructorParameters<typeof TokenCaller>[2];

  constructor(dependencies: AdmissionDependencies) {
    this.#dependencies = dependencies;
    const { budgets, exchange: leases } = dependencies;
    this.#payers = { leases, budgets };
  }

  /** Waits for the database only on the first request with a token. */
  authenticate(authorization: string | undefined, addressOf: () => string): TokenCaller | Promise<TokenCaller> {
    const credentials = this.logRejection(undefined, () => readCredentials(authorization));
    if (credentials.isJwt) return this.#authenticateJwt(credentials, addressOf);
    const check = (found: TokenEntry | undefined) => this.#check(found, credentials, addressOf);
    const found = this.#dependencies.callers.find(credentials, addressOf);
    return found instanceof Promise ? withDatabaseTimeout(found).then(check) : check(found);
  }

  /** A JWT acts as the token of a service account. */
  async #authenticateJwt(credentials: Credentials, addressOf: () => string): Promise<TokenCaller> {
    const { callers } = this.#dependencies;
    const identity = await this.#verify(credentials.key, addressOf());
    const finding = callers.findById(identity.tokenId);
    const found = finding instanceof Promise ? await withDatabaseTimeout(finding) : finding;
    return this.#check(found, { ...credentials, identity }, addressOf);
  }

  async #verify(jwt: string, address: string): Promise<JwtIdentity> {
    try {
      return await this.#dependencies.jwts.verify(jwt, address);
    } catch (error) {
      this.#count(error);
      throw error;
    }
  }

  /** Checks a token again after the body has arrived, because it may have changed in the meantime. */
  checkAgain(caller: TokenCaller, addressOf: () => string): TokenCaller {
    const { entry, credentials } = caller;
    const usable = this.logRejection(entry, () => checkToken(entry, credentials, addressOf, this.#tokenRules()));
    return caller.isUnchanged(usable) ? caller : new TokenCaller(usable, credentials, this.#payers);
  }

  /** Counts a request as in flight or rejects it. Call `end` once it is settled, however it ended. */
  begin(caller: TokenCaller): void {
    const { storage, options, inFlightElsewhere: underWayElsewhere } = this.#dependencies;
    // Not logged, because nothing can be stored.
    if (storage.trouble !== undefined) {
      const error = storageUnavailableError(storage.trouble);
      this.#count(error);
      throw error;
    }
    this.logRejection(caller.entry, () => beginRequest(caller, options.values, underWayElsewhere));
  }

  end(caller: TokenCaller): void {
    endRequest(caller, this.#dependencies.options.values, this.#dependencies.inFlightElsewhere);
  }

  /** Logs a request rejected before routing, unless it was already logged. */
  rejected(entry: TokenEntry, { error, ...request }: RejectedRequest): void {
    this.#count(error);
    if (error instanceof RelayError) this.#dependencies.rejectedRequests.note(entry, { error, ...request });
  }

  /** Runs a check. If it throws, the rejection is logged for a known token and counted for an unknown one. */
  logRejection<T>(entry: TokenEntry | undefined, check: () => T): T {
    try {
      return check();
    } catch (error) {
      if (entry) this.rejected(entry, { error, model: '', requestId: '' });
      else this.#count(error);
      throw error;
    }
  }

  #check(found: TokenEntry | undefined, credentials: Credentials, addressOf: () => string): TokenCaller {
    const check = () => checkToken(found, credentials, addressOf, this.#tokenRules());
    return new TokenCaller(this.logRejection(found, check), credentials, this.#payers);
  }

  #tokenRules() {
    const { AdminSecondFactorEnabled } = this.#dependencies.options.values;
    return { now: nowInSeconds(), demandsSecondFactor: AdminSecondFactorEnabled };
  }

  #count(error: unknown): void {
    if (error instanceof RelayError) this.#dependencies.metrics.rejected(error, rejectionReasonOf(error));
  }
}
