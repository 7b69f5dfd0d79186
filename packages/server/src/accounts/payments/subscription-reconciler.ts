import type { FastifyBaseLogger } from 'fastify';
import type { InTransaction } from '../../platform/db/transaction.ts';
import { RepeatedWork } from '../../platform/runtime/repeated-work.ts';
import { isPlanOwed } from './order-facts.ts';
import type { PaymentProviders } from './payment-providers.ts';
import { orderFacts, type Settlement, type SettlementResult } from './settlement.ts';
import {
  afterPeriodSeconds,
  type SubscriptionRepository,
  type SubscriptionRow,
  unpaidSeconds,
} from './subscription-repository.ts';

interface SubscriptionReconcilerDependencies {
  readonly subscriptions: SubscriptionRepository;
  readonly providers: PaymentProviders;
  readonly settlement: Settlement;
  readonly inTransaction: InTransaction;
  readonly onSettled: (settled: SettlementResult, source: 'query') => void;
  readonly now: () => number;
  readonly everyMs?: number | undefined;
  readonly logger: FastifyBaseLogger;
}

/** Longer than both queries take. */
const leaseMs = 60_000;
const defaultMs = 15_000;
/** Interval of attempts to stop a subscription, in seconds. */
const retrySeconds = 300;
/** How long the shutdown waits for a query. */
const shutdownGraceMs = 5000;
/** Subscriptions queried per round; small, so that a shutdown does not wait long. */
const maxPerRound = 50;

/**
 * Queries providers about subscriptions after each event and after each period, in case a callback was lost. Only one
 * node queries each subscription.
 */
export class SubscriptionReconciler {
  readonly #dependencies: SubscriptionReconcilerDependencies;
  readonly #rounds: RepeatedWork;

  constructor(dependencies: SubscriptionReconcilerDependencies) {
    this.#dependencies = dependencies;
    this.#rounds = new RepeatedWork({
      everyMs: dependencies.everyMs ?? defaultMs,
      run: () => this.checkDue(),
      onFailure: (error) => dependencies.logger.error({ err: error }, 'failed to reconcile subscriptions'),
      closeWithinMs: shutdownGraceMs,
    });
  }

  start(): void {
    this.#rounds.start();
  }

  close(): Promise<void> {
    return this.#rounds.close();
  }

  /** Queries all subscriptions that are due and not leased by another node. */
  async checkDue(): Promise<void> {
    const { subscriptions, now } = this.#dependencies;
    for (let left = maxPerRound; left > 0 && !this.#rounds.isClosed; left -= 1) {
      const row = await subscriptions.lease(now(), leaseMs);
      if (!row) return;
      await this.#check(row);
    }
  }

  async #check(row: SubscriptionRow): Promise<void> {
    const { provider, provider_id } = row;
    const { subscriptions, providers, settlement, onSettled, now, logger } = this.#dependencies;
    const isStopping = await shouldStop(subscriptions, row);
    try {
      if (isStopping)
        onSettled(await settlement.apply(provider, 'query', await providers.stopSubscription(row, now())), 'query');
      for (const event of await providers.querySubscription(provider, provider_id, now()))
        onSettled(await settlement.apply(provider, 'query', event), 'query');
    } catch (error) {
      logger.warn({ err: error, subscription: provider_id }, 'failed to query a payment provider');
    }
    // After the events, which set an earlier time.
    await this.#planNext(row, isStopping ? retrySeconds : 0);
  }

  /** The row is locked, because a refund or a purchase may make it due in the meantime. */
  #planNext({ provider, provider_id }: SubscriptionRow, stopAfter: number): Promise<void> {
    const { inTransaction, now } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const subscriptions = this.#dependencies.subscriptions.within(transaction);
      const row = await subscriptions.findLocked(provider, provider_id);
      if (!row) return;
      const paidUntil = row.period_end + afterPeriodSeconds;
      const next = paidUntil > now() ? paidUntil : now() + unpaidSeconds;
      const next_check_time = (await shouldStop(subscriptions, row)) ? now() + stopAfter : next;
      await subscriptions.update(row.id, { next_check_time, leased_ms: 0 });
    });
  }
}

/** True if the last payment was refunded or disputed, or the user bought the plan again after it had failed. */
async function shouldStop(subscriptions: SubscriptionRepository, row: SubscriptionRow): Promise<boolean> {
  if (row.state === 'ended') return false;
  if (row.state === 'past_due' && (await subscriptions.isReplaced(row))) return true;
  const last = row.renews === 1 ? await subscriptions.lastPaid(row.id) : undefined;
  return last !== undefined && !isPlanOwed(orderFacts(last));
}
