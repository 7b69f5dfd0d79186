import { channelStatus } from '@headgate/contract';
import type { ChannelService } from '../channels/channel-service.ts';
import { nextCooldown } from './breaker-cooldowns.ts';
import type { BreakerRepository, BreakerRow } from './breaker-repository.ts';
import type { CircuitBreakerService } from './circuit-breaker-service.ts';

interface PauseProberDependencies {
  readonly pauses: BreakerRepository;
  readonly service: Pick<CircuitBreakerService, 'testPaused'>;
  readonly channels: Pick<ChannelService, 'find'>;
  readonly options: { readonly values: { readonly AutomaticEnableChannelEnabled: boolean } };
  /** Seconds. */
  readonly clock: () => number;
  readonly everyMs: number;
  readonly onFailure: (error: unknown) => void;
}

/** Seconds after which another node takes over the test of a crashed one; longer than any test. */
const claimSeconds = 120;

/** Tests paused models when they are due; only one node tests a given model at a time. */
export class BreakerProber {
  readonly #dependencies: PauseProberDependencies;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #running: Promise<void> = Promise.resolve();

  constructor(dependencies: PauseProberDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#look();
    }, this.#dependencies.everyMs).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #look(): Promise<void> {
    await this.#probeDue().catch(this.#dependencies.onFailure);
    this.start();
  }

  async #probeDue(): Promise<void> {
    const { pauses, options, clock, onFailure } = this.#dependencies;
    if (options.values.AutomaticEnableChannelEnabled) await this.#plan();
    await pauses.removeOld(clock());
    const now = clock();
    for (const row of await pauses.claimDue(now, now + claimSeconds)) {
      if (this.#isClosed) return;
      await this.#probe(row).catch(onFailure);
    }
  }

  /** Plans tests for automatically disabled channels as well. */
  async #plan(): Promise<void> {
    const { pauses, clock } = this.#dependencies;
    for (const { id, status_reason } of await pauses.unplanned()) {
      const earlier = await pauses.find(id, '');
      const now = clock();
      const pause = nextCooldown(earlier, now);
      await pauses.begin({
        channel_id: id,
        model: '',
        reason: '',
        message: status_reason.slice(0, 300),
        status: 0,
        since: now,
        next_probe: now + pause,
        pause,
        is_disabled: 1,
      });
    }
  }

  async #probe(row: BreakerRow): Promise<void> {
    const { channels, pauses, service, options, clock } = this.#dependencies;
    const channel = await channels.find(row.channel_id).catch(() => undefined);
    if (!channel) return;
    const isDisabled = channel.status === channelStatus.disabledByMonitor;
    const isLeftAlone = isDisabled
      ? !options.values.AutomaticEnableChannelEnabled
      : channel.status === channelStatus.disabled && row.is_disabled === 0;
    if (isLeftAlone) await pauses.postpone(row.id, { next_probe: clock() + row.pause });
    else await service.testPaused(row);
  }
}
