import { EventLoopQueue } from '../guards/event-loop-queue.ts';
import { ChannelLoads } from '../routing/channel-loads.ts';
import { Cooldowns } from '../routing/cooldowns.ts';
import { RetryBudgets } from '../routing/retry-budget.ts';
import { Tokenizer } from '../tokens/tokenizer.ts';
import { UsageReporters } from '../tokens/usage-reporters.ts';
import { Credentials } from '../upstream/credentials.ts';
import { MissingEndpoints } from '../upstream/missing-endpoints.ts';
import { ResponseBuffers } from '../upstream/response-buffer.ts';
import { type Timeouts, Upstreams } from '../upstream/upstream.ts';
import { PublicFetch } from '../upstream/upstream-fetch.ts';

interface ServiceOptions {
  /** Maximum time to count tokens before they are estimated. */
  readonly countingPatienceMs?: number | undefined;
  /** Addresses from which images may be fetched; default: the public internet. */
  readonly isOpenAddress?: ((address: string) => boolean) | undefined;
}

/** Variant of these services for requests that must not affect the routing of other requests. */
export const withIsolatedHealth = (services: UpstreamServices): UpstreamServices => ({
  ...services,
  cooldowns: new Cooldowns(),
  keyCooldowns: new Cooldowns(),
  loads: new ChannelLoads(),
  retryBudgets: new RetryBudgets(),
  close: async () => undefined,
});

/** Services shared by all upstream requests. */
export class UpstreamServices {
  readonly upstreams: Upstreams;
  readonly credentials: Credentials;
  readonly fetcher: PublicFetch;
  readonly gathering = new ResponseBuffers();
  readonly cooldowns = new Cooldowns();
  /** Cooldowns of keys, on channels with several. */
  readonly keyCooldowns = new Cooldowns();
  readonly loads = new ChannelLoads();
  readonly retryBudgets = new RetryBudgets();
  readonly usageReporters = new UsageReporters();
  readonly missingEndpoints = new MissingEndpoints();
  readonly turns = new EventLoopQueue();
  readonly tokenizer: Tokenizer;

  constructor(timeouts: Timeouts, { countingPatienceMs, isOpenAddress }: ServiceOptions = {}) {
    this.fetcher = new PublicFetch(isOpenAddress);
    this.upstreams = new Upstreams(timeouts);
    this.credentials = new Credentials(this.upstreams);
    this.tokenizer = new Tokenizer({ patience: countingPatienceMs });
  }

  async close(): Promise<void> {
    await Promise.all([this.upstreams.close(), this.fetcher.close(), this.tokenizer.close()]);
  }
}
