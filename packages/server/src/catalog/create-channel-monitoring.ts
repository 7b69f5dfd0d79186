import type { Platform } from '../platform/create-platform.ts';
import { nowInSeconds } from '../platform/runtime/clock.ts';
import type { Records } from '../records/create-records.ts';
import type { ChannelFailureDetails } from './channels/channel-health-service.ts';
import { ChannelKeyTestService } from './channels/channel-key-test-service.ts';
import type { ChannelProbe, MonitorChange } from './channels/channel-probe.ts';
import { ChannelTestService } from './channels/channel-test-service.ts';
import { BreakerProber } from './circuit-breaker/breaker-prober.ts';
import type { ChannelEvent } from './circuit-breaker/channel-event.ts';
import { CircuitBreakerService } from './circuit-breaker/circuit-breaker-service.ts';
import { FailureMonitor } from './circuit-breaker/failure-monitor.ts';
import type { Catalog } from './create-catalog.ts';

interface ChannelCareDependencies {
  readonly platform: Platform;
  readonly records: Records;
  readonly catalog: Catalog;
  readonly probe: ChannelProbe;
  readonly isPaused: (channel: number, model: string) => boolean;
  /** Ends the cooldown of a channel. */
  readonly endRest: (channel: number) => void;
  /** A channel, model or key was taken out of service or restored. */
  readonly onStep: (step: ChannelEvent) => void;
  /** Clock and check interval of pauses; by default the system clock and 15 seconds. */
  readonly pausing?: { readonly clock: () => number; readonly everyMs: number } | undefined;
}

/** Frequent enough for cooldowns of one minute. */
const checkIntervalMs = 15_000;

/** Tests channels and keys, disables or pauses failing ones and restores them. */
export function createChannelMonitoring(dependencies: ChannelCareDependencies) {
  const { platform, records, catalog, probe, isPaused, endRest, onStep, pausing } = dependencies;
  const { options, inTransaction, feed, logger, lifecycle } = platform;
  const { channels, channelHealth, pauseRows } = catalog;
  const tests = createChannelTests(dependencies);
  const { channelTests } = tests;
  const clock = pausing?.clock ?? nowInSeconds;
  const onFailure = (error: unknown) => logger.error({ err: error }, 'failed to check a paused model');
  const watch = new FailureMonitor({
    options,
    broadcasts: feed.broadcasts,
    clock,
    isPaused,
    onSuspicion: (suspicion) => pauses.suspected(suspicion),
    onUselessKey: (channel, cause, key) => channelTests.disableRejected(channel, cause, key),
  });
  const pauses = new CircuitBreakerService({
    pauses: pauseRows,
    channels,
    probe,
    retest: async (id) => {
      const { became, ...facts } = await channelTests.retest(id);
      return { ...facts, became: became === 'enabled' ? 'enabled' : '' };
    },
    logs: records.logs,
    inTransaction,
    clock,
    forget: (channel, model) => watch.reset(channel, model),
    endRest,
    onStep,
    onFailure,
  });
  const everyMs = pausing?.everyMs ?? checkIntervalMs;
  const prober = new BreakerProber({
    pauses: pauseRows,
    service: pauses,
    channels,
    options,
    clock,
    everyMs,
    onFailure,
  });
  lifecycle.add({ name: 'pause prober', start: () => prober.start(), drain: () => prober.close() });
  return { ...tests, watch, health: healthOf(channelHealth, watch), pauses };
}

/** Records request results and counts failures. */
const healthOf = (channelHealth: Catalog['channelHealth'], watch: FailureMonitor) => ({
  failed: (channel: number, facts: ChannelFailureDetails) => {
    channelHealth.failed(channel, facts);
    watch.failed(channel, facts);
  },
  channelFailureConfirmed: (channel: number, facts: ChannelFailureDetails) =>
    watch.channelFailureConfirmed(channel, facts),
  responded: (channel: number, model: string) => {
    channelHealth.succeeded(channel);
    watch.succeeded(channel, model);
  },
});

function createChannelTests({ platform, catalog, probe, onStep }: ChannelCareDependencies) {
  const { options, logger } = platform;
  const { channels, channelKeys, keyRows, channelHealth } = catalog;
  const testing = {
    channels,
    options,
    probe,
    onVerdict: ({ isEnabled, ...change }: MonitorChange) => {
      const what = change.key === undefined ? 'channel' : 'key';
      onStep({ ...change, kind: `${what}_${isEnabled ? 'enabled' : 'disabled'}`, model: '' });
    },
    onFailure: (error: unknown) => logger.error({ err: error }, 'the channel test failed'),
  };
  const channelKeyTests = new ChannelKeyTestService({ ...testing, keys: channelKeys, rows: keyRows });
  const channelTests = new ChannelTestService({ ...testing, health: channelHealth, keyTests: channelKeyTests });
  return { channelTests, channelKeyTests };
}
