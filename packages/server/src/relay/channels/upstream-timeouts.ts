import type { Timeouts } from '@headgate/relay';
import type { OptionService } from '../../options/option-service.ts';

const connectMs = 10_000;

/** As the settings are at that moment: a change holds for the next request. */
export const upstreamTimeouts = (options: OptionService): Timeouts => ({
  connectMs,
  get firstByteMs() {
    return options.values.UpstreamFirstByteSeconds * 1000;
  },
  get idleMs() {
    return options.values.UpstreamIdleSeconds * 1000;
  },
});
