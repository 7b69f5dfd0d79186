import { Credentials } from './credentials.ts';
import { Resting } from './resting.ts';
import { type Timeouts, Upstreams } from './upstream.ts';
import { PublicFetch } from './upstream-fetch.ts';

/** What all requests share on their way out. */
export class Outside {
  readonly upstreams: Upstreams;
  readonly credentials: Credentials;
  readonly fetcher = new PublicFetch();
  readonly resting = new Resting();

  constructor(timeouts: Timeouts) {
    this.upstreams = new Upstreams(timeouts);
    this.credentials = new Credentials(this.upstreams);
  }

  async close(): Promise<void> {
    await Promise.all([this.upstreams.close(), this.fetcher.close()]);
  }
}
