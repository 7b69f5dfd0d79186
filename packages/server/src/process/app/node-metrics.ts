import { type Family, gauge } from '../../observability/metrics/exposition.ts';
import {
  databaseMetrics,
  logExportMetrics,
  payloadMetrics,
  paymentMetrics,
  processMetrics,
  traceMetrics,
} from '../../observability/metrics/node-metrics.ts';
import { storageFaultMessages } from '../../platform/storage/storage-health.ts';
import type { AppServices } from './create-services.ts';

/** All metrics of this node. */
export function nodeMetrics(services: AppServices, version: string): readonly Family[] {
  const { writer, running, metrics, storage } = services;
  return [
    {
      name: 'headgate_build_info',
      type: 'gauge',
      help: 'Running version.',
      samples: [{ labels: { version }, value: 1 }],
    },
    ...metrics.families(),
    gauge('headgate_requests_running', 'In-flight relayed requests.', running.count),
    gauge('headgate_settlements_waiting', 'Charges that are not stored yet.', writer.unstored),
    gauge(
      'headgate_oldest_unstored_charge_seconds',
      'Age of the oldest charge that is not stored yet; 0 if there is none.',
      writer.oldestUnstoredMs / 1000,
    ),
    {
      name: 'headgate_storage_trouble',
      type: 'gauge',
      help: '1 for the reason why charges cannot be stored and requests are rejected.',
      samples: Object.keys(storageFaultMessages).map((reason) => ({
        labels: { reason },
        value: storage.trouble === reason ? 1 : 0,
      })),
    },
    {
      name: 'headgate_callers',
      type: 'gauge',
      help: 'Users and tokens cached by this process.',
      samples: (['users', 'tokens'] as const).map((kind) => ({
        labels: { kind },
        value: services.callers.memory[kind].size,
      })),
    },
    {
      name: 'headgate_upstream_resends_total',
      type: 'counter',
      help: 'Requests sent again because the upstream closed a reused connection without a response.',
      samples: [{ labels: {}, value: services.upstreamServices.upstreams.resent }],
    },
    ...leaseMetrics(services),
    ...payloadMetrics(services.bodyKeeper),
    ...logExportMetrics(services.logExporter.lags),
    ...paymentMetrics(services.payments.callbackCounts.all()),
    ...traceMetrics(services.traces?.exporter),
    ...databaseMetrics(services.databaseFigures),
    ...processMetrics(),
  ];
}

/** Empty if a single process owns all quota. */
function leaseMetrics({ leases, callers }: AppServices): readonly Family[] {
  if (!leases) return [];
  const { node } = leases;
  let owners = 0;
  let points = 0;
  for (const { share } of callers.memory.holders()) {
    if (share.node !== node) continue;
    owners += 1;
    points += share.leased;
  }
  return [
    gauge('headgate_leases_in_touch', '1 while this node may spend its quota leases.', node === undefined ? 0 : 1),
    gauge('headgate_leases', 'Users and limited tokens whose quota this node has leased.', owners),
    gauge('headgate_leased_quota', 'Upper bound of the quota leased by this node.', points),
  ];
}
