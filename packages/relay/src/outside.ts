import { Credentials } from './credentials.ts';
import { Gathering } from './gathering.ts';
import { Resting } from './resting.ts';
import { Telling } from './tokens/telling.ts';
import { Tokenizer } from './tokens/tokenizer.ts';
import { TurnQueue } from './turn-queue.ts';
import { type Timeouts, Upstreams } from './upstream.ts';
import { PublicFetch } from './upstream-fetch.ts';

interface Manner {
  /** How long tokens may be counted before they are estimated. */
  readonly countingPatienceMs?: number | undefined;
  /** Where pictures may be fetched from; the open internet unless told otherwise. */
  readonly isOpenAddress?: ((address: string) => boolean) | undefined;
}

/** What all requests share on their way out. */
export class Outside {
  readonly upstreams: Upstreams;
  readonly credentials: Credentials;
  readonly fetcher: PublicFetch;
  readonly gathering = new Gathering();
  readonly resting = new Resting();
  readonly telling = new Telling();
  readonly turns = new TurnQueue();
  readonly tokenizer: Tokenizer;

  constructor(timeouts: Timeouts, { countingPatienceMs, isOpenAddress }: Manner = {}) {
    this.fetcher = new PublicFetch(isOpenAddress);
    this.upstreams = new Upstreams(timeouts);
    this.credentials = new Credentials(this.upstreams);
    this.tokenizer = new Tokenizer({ patience: countingPatienceMs });
  }

  async close(): Promise<void> {
    await Promise.all([this.upstreams.close(), this.fetcher.close(), this.tokenizer.close()]);
  }
}
