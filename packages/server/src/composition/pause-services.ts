import type { UpstreamServices } from '@headgate/relay';
import type { ChannelFailureFacts } from '../catalog/channels/channel-health-service.ts';
import type { ChannelTestService } from '../catalog/channels/channel-test-service.ts';
import type { ChannelStep } from '../catalog/pauses/channel-step.ts';
import { FailureWatch } from '../catalog/pauses/failure-watch.ts';
import { PauseProber } from '../catalog/pauses/pause-prober.ts';
import type { PauseRepository } from '../catalog/pauses/pause-repository.ts';
import { PauseService } from '../catalog/pauses/pause-service.ts';
import { nowInSeconds } from '../platform/runtime/clock.ts';
import { channelProbe } from '../relay/upstreams/channel-probe.ts';
import type { ChannelTable } from '../relay/upstreams/channel-table.ts';
import type { AppContext } from './app-dependencies.ts';
import type { ChannelServices } from './channel-services.ts';
import type { CoreServices } from './core-services.ts';

interface Neighbours {
  readonly rows: PauseRepository;
  readonly channelTable: ChannelTable;
  readonly upstreamServices: UpstreamServices;
  readonly channelTests: ChannelTestService;
  readonly onStep: (step: ChannelStep) => void;
}

/** Short enough for pauses of a minute. */
const lookEveryMs = 15_000;

/** What takes failing models and keys out of use, and brings models back. */
export function makePauseServices(
  { logger, lifecycle, pausing }: AppContext,
  { options, logs, inTransaction, feed }: CoreServices,
  { channels, channelHealth }: ChannelServices,
  { rows, channelTable, upstreamServices, channelTests, onStep }: Neighbours,
) {
  const clock = pausing?.clock ?? nowInSeconds;
  const onFailure = (error: unknown) => logger.error({ err: error }, 'a paused model could not be looked after');
  const watch = new FailureWatch({
    options,
    broadcasts: feed.broadcasts,
    clock,
    isPaused: (channel, model) => channelTable.isPaused(channel, model),
    onSuspicion: (suspicion) => pauses.suspected(suspicion),
    onUselessKey: (channel, cause, key) => channelTests.condemn(channel, cause, key),
  });
  const pauses = new PauseService({
    pauses: rows,
    channels,
    probe: channelProbe(upstreamServices),
    retest: async (id) => {
      const { became, ...facts } = await channelTests.retest(id);
      return { ...facts, became: became === 'enabled' ? 'enabled' : '' };
    },
    logs,
    inTransaction,
    clock,
    forget: (channel, model) => watch.forget(channel, model),
    endRest: (channel) => upstreamServices.cooldowns.succeeded(channel),
    onStep,
    onFailure,
  });
  const everyMs = pausing?.everyMs ?? lookEveryMs;
  const pauseProber = new PauseProber({ pauses: rows, service: pauses, channels, options, clock, everyMs, onFailure });
  lifecycle.add({ name: 'pause prober', start: () => pauseProber.start(), drain: () => pauseProber.close() });
  /** What requests find out is written down, and judged. */
  const health = {
    failed: (channel: number, facts: ChannelFailureFacts) => {
      channelHealth.failed(channel, facts);
      watch.failed(channel, facts);
    },
    failedAlone: (channel: number, facts: ChannelFailureFacts) => watch.failedAlone(channel, facts),
    answered: (channel: number, model: string) => {
      channelHealth.answered(channel);
      watch.answered(channel, model);
    },
  };
  return { watch, health, pauses, pauseProber };
}
