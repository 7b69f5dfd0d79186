import {
  type Caller,
  channelsDown,
  type Earlier,
  isKeptId,
  type KeptItem,
  type RelayChannel,
  RelayError,
  toldBack,
  withKey,
} from '@headgate/relay';
import type { ChannelTable } from '../upstreams/channel-table.ts';
import type { KeptResponseRepository } from './kept-response-repository.ts';

interface Sources {
  readonly responses: KeptResponseRepository;
  readonly channels: ChannelTable;
  /** Waits for what was charged a moment ago: a response is stored with its charge. */
  readonly catchUp: () => Promise<void>;
  /** The answer, or a failure when the database does not give it in time. */
  readonly inTime: <T>(answer: Promise<T>) => Promise<T>;
}

/** Responses that upstreams keep, for the users they were made for. Looked for only where one is named. */
export class KeptResponseService {
  readonly #sources: Sources;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  find({ userId }: Caller, id: string): Promise<Earlier | undefined> {
    if (!isKeptId(id)) return Promise.resolve(undefined);
    return this.#sources.inTime(this.#find(userId, id));
  }

  /** Those of them that were made for this user. */
  findItems({ userId }: Caller, ids: readonly string[]): Promise<readonly KeptItem[]> {
    const { inTime } = this.#sources;
    const plain = ids.filter(isKeptId);
    return plain.length === 0 ? Promise.resolve([]) : inTime(this.#findItems(userId, plain));
  }

  /** The channel that keeps it. Another user's is as if it were not there. */
  async channelOf(caller: Caller, id: string): Promise<RelayChannel> {
    const kept = await this.find(caller, id);
    const missing = `Response with id '${toldBack(id)}' not found.`;
    if (!kept) throw new RelayError(404, missing, null, 'invalid_request_error');
    const channel = this.#sources.channels.find(kept.channel);
    const keeper = channel && mayAsk(caller, channel) ? withKey(channel, kept.key) : undefined;
    if (keeper) return keeper;
    throw channelsDown(`The channel that keeps ${toldBack(id)} does not serve you now, and no other has it`);
  }

  remove({ userId }: Caller, id: string): Promise<void> {
    return this.#sources.responses.remove(userId, id);
  }

  async #find(user: number, id: string): Promise<Earlier | undefined> {
    await this.#sources.catchUp();
    return this.#sources.responses.find(user, id);
  }

  async #findItems(user: number, ids: readonly string[]): Promise<readonly KeptItem[]> {
    await this.#sources.catchUp();
    return this.#sources.responses.findItems(user, ids);
  }
}

/** Who insists on a channel is served by no other. */
const mayAsk = ({ groups, pinnedChannel }: Caller, channel: RelayChannel): boolean =>
  pinnedChannel === undefined ? channel.groups.some((group) => groups.includes(group)) : channel.id === pinnedChannel;
