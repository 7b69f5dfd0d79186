import type { Timeouts } from '@headgate/relay';
import type { OptionService } from '../../platform/options/option-service.ts';

const connectMs = 10_000;

/** Reads the options on every access, so that a change applies to the next request. */
export const upstreamTimeouts = (options: OptionService): Timeouts => ({
  connectMs,
  get firstByteMs() {
    return options.values.UpstreamFirstByteSeconds * 1000;
  },
  get idleMs() {
    return options.values.UpstreamIdleSeconds * 1000;
  },
});
