import type { Timeouts } from '@headgate/relay';
import type { OptionService } from '../../platform/options/option-service.ts';

const connectMs = 10_000;

/** The time limits as the settings are when they are read: a change holds for the next request. */
export const upstreamTimeouts = (options: OptionService): Timeouts => ({
  connectMs,
  get firstByteMs() {
    return options.values.UpstreamFirstByteSeconds * 1000;
  },
  get idleMs() {
    return options.values.UpstreamIdleSeconds * 1000;
  },
});
