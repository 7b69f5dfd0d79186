import { isPriced, type Outcome } from '@headgate/relay';
import type { UserService } from '../accounts/users/user-service.ts';
import type { ChannelFailureFacts } from '../catalog/channels/channel-health-service.ts';
import { BalanceAlerts } from '../observability/alerts/balance-alerts.ts';
import { RelayWitness } from '../observability/alerts/relay-witness.ts';
import type { RelayMetrics } from '../observability/metrics/relay-metrics.ts';
import type { ChannelTable } from '../relay/upstreams/channel-table.ts';
import type { AlertServices } from './alert-services.ts';
import type { AppDependencies } from './app-dependencies.ts';
import type { CoreServices } from './core-services.ts';

interface Witnessed {
  readonly metrics: RelayMetrics;
  readonly health: {
    failed(channel: number, failure: ChannelFailureFacts): void;
    failedAlone(channel: number, failure: ChannelFailureFacts): void;
    answered(channel: number, model: string): void;
  };
  readonly channelTable: ChannelTable;
}

/** What the relay reports to, heard by alerts too. */
export function witnessed(
  { priceBook }: CoreServices,
  { alerts, alerting }: AlertServices,
  { metrics, health, channelTable }: Witnessed,
) {
  const witness = new RelayWitness({
    ...alerting,
    isPriced: (model, channel) => isPriced(model, priceBook.ratios, channelTable.find(channel)?.type),
    raise: (event) => alerts.raise(event),
  });
  return {
    metrics: {
      add: (outcome: Outcome) => {
        metrics.add(outcome);
        witness.finished(outcome);
      },
      refused: metrics.refused.bind(metrics),
    },
    health: {
      failed: (channel: number, failure: ChannelFailureFacts) => {
        health.failed(channel, failure);
        witness.failed(channel);
      },
      failedAlone: (channel: number, failure: ChannelFailureFacts) => health.failedAlone(channel, failure),
      answered: (channel: number, model: string) => health.answered(channel, model),
    },
  };
}

interface Neighbours {
  readonly users: UserService;
  readonly alerting: AlertServices;
}

export function makeBalanceAlerts(
  { logger }: AppDependencies,
  { logs }: CoreServices,
  { users, alerting: { alerts, alerting } }: Neighbours,
): BalanceAlerts {
  return new BalanceAlerts({
    book: alerting.book,
    users,
    amount: (points) => logs.amount(points),
    raise: (event) => alerts.raise(event),
    onFailure: (error) => logger.warn({ err: error }, 'the balance of a user was not told'),
  });
}
