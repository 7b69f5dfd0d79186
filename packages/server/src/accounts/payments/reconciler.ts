import type { FastifyBaseLogger } from 'fastify';
import { ApiError } from '../../platform/errors/api-error.ts';
import { RepeatedWork } from '../../platform/runtime/repeated-work.ts';
import { isOpen } from './order-facts.ts';
import { clockTolerance, maxCheckWait, type OrderRepository, type OrderRow } from './order-repository.ts';
import type { PaymentProviders } from './payment-providers.ts';
import type { Settlement, SettlementResult } from './settlement.ts';

interface ReconcilerDependencies {
  readonly orders: OrderRepository;
  readonly providers: PaymentProviders;
  readonly settlement: Settlement;
  readonly onSettled: (settled: SettlementResult, source: 'query') => void;
  readonly now: () => number;
  readonly everyMs?: number | undefined;
  readonly logger: FastifyBaseLogger;
}

const minute = 60;
const hour = 60 * minute;

/**
 * Times at which the provider is queried, in seconds after the order. An order that is still unpaid at the last query
 * expires.
 */
export const checkDelays = [minute, 5 * minute, 15 * minute, hour, 6 * hour, maxCheckWait] as const;

/**
 * A replaced provider does not know old orders; if they stayed open, they would count toward the buyer's limit of open
 * orders.
 */
const maxWait = 7 * 24 * hour;

/** Longer than any query takes. */
const leaseMs = 60_000;
const defaultMs = 15_000;
/**
 * How long the shutdown waits for a query, so that a slow provider does not delay it. Each event is applied in one
 * transaction, and the query is repeated after the restart.
 */
const shutdownGraceMs = 5000;
/** Orders queried per round; small, so that a shutdown does not wait long. */
const maxPerRound = 50;

/** Queries providers about open orders, in case a callback was lost. Only one node queries each order. */
export class Reconciler {
  readonly #dependencies: ReconcilerDependencies;
  readonly #rounds: RepeatedWork;

  constructor(dependencies: ReconcilerDependencies) {
    this.#dependencies = dependencies;
    this.#rounds = new RepeatedWork({
      everyMs: dependencies.everyMs ?? defaultMs,
      run: () => this.checkDue(),
      onFailure: (error) => dependencies.logger.error({ err: error }, 'failed to reconcile orders'),
      closeWithinMs: shutdownGraceMs,
    });
  }

  start(): void {
    this.#rounds.start();
  }

  close(): Promise<void> {
    return this.#rounds.close();
  }

  /** Queries all orders that are due and not leased by another node. */
  async checkDue(): Promise<void> {
    const { orders, now } = this.#dependencies;
    for (let left = maxPerRound; left > 0 && !this.#rounds.isClosed; left -= 1) {
      const order = await orders.lease(now(), leaseMs);
      if (!order) return;
      await this.#checkLeased(order);
    }
  }

  /** Queries the provider about an order while a user waits. */
  async checkNow(order: OrderRow): Promise<void> {
    try {
      await this.#check(order);
    } catch (error) {
      this.#dependencies.logger.warn({ err: error, order: order.number }, 'failed to query a payment provider');
      throw new ApiError('paymentProviderFailed');
    }
  }

  /** Queries the provider and applies its response. Throws if it cannot be reached. */
  async #check(order: OrderRow): Promise<void> {
    const { providers, settlement, orders, onSettled, now } = this.#dependencies;
    // Set first, so that a buyer cannot trigger concurrent queries.
    await orders.update(order.id, { checked_time: now() });
    for (const event of await providers.query(order.provider, order)) {
      if (event.kind === 'other') continue;
      onSettled(await settlement.apply(order.provider, 'query', event), 'query');
    }
  }

  async #checkLeased(given: OrderRow): Promise<void> {
    const { orders, now, logger } = this.#dependencies;
    // An order from a wrong clock would stay open until that time.
    const isAhead = given.created_time > now() + clockTolerance;
    const order = isAhead ? await orders.update(given.id, { created_time: now() }) : given;
    const next = nextCheckTime(order.created_time, now());
    try {
      await this.#check(order);
      if (next === undefined) await this.#expire(order);
    } catch (error) {
      logger.warn({ err: error, order: order.number }, 'failed to query a payment provider');
      if (order.created_time + maxWait <= now()) await this.#expire(order);
    }
    // After the last regular query the order is queried hourly until the provider responds.
    await orders.update(order.id, { next_check_time: next ?? now() + hour, leased_ms: 0 });
  }

  async #expire({ id, provider, number }: OrderRow): Promise<void> {
    const { orders, settlement } = this.#dependencies;
    const current = await orders.find(id);
    if (!current || !isOpen(current.state)) return;
    const event = {
      kind: 'expired',
      event: 'not paid in time',
      number,
      paymentId: '',
      amount: 0,
      currency: '',
    } as const;
    await settlement.apply(provider, 'query', event);
  }
}

/** Undefined after the last query. Hourly for an order that was created by a clock that is slightly ahead. */
function nextCheckTime(created: number, now: number): number | undefined {
  if (created > now) return now + hour;
  return checkDelays.map((delay) => created + delay).find((time) => time > now);
}
