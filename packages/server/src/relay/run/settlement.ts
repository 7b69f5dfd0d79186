import type { Outcome, Reservation } from '@headgate/relay';
import type { ChannelHealthService } from '../../catalog/channels/channel-health-service.ts';
import type { RelayMetrics } from '../../observability/metrics/relay-metrics.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import type { TokenCaller } from '../callers/token-caller.ts';
import type { ChargeWriter } from '../charges/charge-writer.ts';
import { failureDetails } from '../upstreams/failure-reason.ts';
import { requestRecord, withPayloadExpiry } from './request-record.ts';

export interface SettlementDependencies {
  readonly options: OptionService;
  readonly writer: ChargeWriter;
  readonly metrics: Pick<RelayMetrics, 'add'>;
  readonly health: Pick<ChannelHealthService, 'failed'> & { answered(channel: number, model: string): void };
  /** Name of this node in the log; empty if it is the only one. */
  readonly node: string;
  readonly onFinished: (outcome: Outcome) => void;
}

/** Settles finished requests: charge, log, metrics and channel health. */
export class Settlement {
  readonly #dependencies: SettlementDependencies;

  constructor(dependencies: SettlementDependencies) {
    this.#dependencies = dependencies;
  }

  /** Resolves when the charge is stored. */
  settle(reservation: Reservation, outcome: Outcome<TokenCaller>): Promise<void> {
    const { metrics, onFinished, options, node, writer } = this.#dependencies;
    const { caller, quota, kept } = outcome;
    reservation.settle(quota);
    metrics.add(outcome);
    onFinished(outcome);
    const isLogged = options.values.LogConsumeEnabled || outcome.endedBy;
    return writer.write({
      accounts: reservation.accounts,
      charge: {
        quota,
        user: caller.userId,
        token: caller.tokenId,
        isTokenLimited: caller.isTokenLimited,
        channel: outcome.channel,
        budgets: idsOf(reservation.budgets),
        record: isLogged ? withPayloadExpiry(requestRecord(outcome, node), caller.capture) : undefined,
        kept: kept && { ...kept, user: caller.userId },
      },
    });
  }

  /** Records the health of the channel that responded. Failures of other channels were recorded when they failed. */
  noteHealth({ channel, model, endedBy, failure, attempts }: Outcome): void {
    if (channel === 0) return;
    const { health } = this.#dependencies;
    if (endedBy === undefined) health.answered(channel, model);
    else if (endedBy === 'upstream' && failure && attempts.at(-1)?.channel !== channel)
      health.failed(channel, failureDetails({ ...failure, model }));
  }
}

/** Undefined instead of an empty list for requests without budgets, which are most. */
const idsOf = (budgets: Reservation['budgets']) => (budgets.length > 0 ? budgets.map(({ id }) => id) : undefined);
