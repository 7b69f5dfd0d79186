import {
  type Caller,
  channelsDownError,
  isStoredId,
  type PreviousContext,
  type RelayChannel,
  RelayError,
  selectKey,
  shortenName,
  type UpstreamStoredItem,
} from '@headgate/relay';
import type { ChannelTable } from '../upstreams/channel-table.ts';
import type { UpstreamResponseRepository } from './upstream-response-repository.ts';

interface Sources {
  readonly responses: UpstreamResponseRepository;
  readonly channels: ChannelTable;
  /** Waits for recent charges, because a response is stored with its charge. */
  readonly catchUp: () => Promise<void>;
  /** Returns the result, or fails if the database takes too long. */
  readonly inTime: <T>(response: Promise<T>) => Promise<T>;
}

/** Responses stored by upstreams, by user. Looked up only when a request refers to one. */
export class UpstreamResponseService {
  readonly #sources: Sources;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  find({ userId }: Caller, id: string): Promise<PreviousContext | undefined> {
    if (!isStoredId(id)) return Promise.resolve(undefined);
    return this.#sources.inTime(this.#find(userId, id));
  }

  /** Returns the items created for this user. */
  findItems({ userId }: Caller, ids: readonly string[]): Promise<readonly UpstreamStoredItem[]> {
    const { inTime } = this.#sources;
    const plain = ids.filter(isStoredId);
    return plain.length === 0 ? Promise.resolve([]) : inTime(this.#findItems(userId, plain));
  }

  /** The channel that stores the response. Responses of other users are not found. */
  async channelOf(caller: Caller, id: string): Promise<RelayChannel> {
    const kept = await this.find(caller, id);
    const missing = `Response with id '${shortenName(id)}' not found.`;
    if (!kept) throw new RelayError(404, missing, null, 'invalid_request_error');
    const channel = this.#sources.channels.find(kept.channel);
    const keeper = channel && mayUseChannel(caller, channel) ? selectKey(channel, kept.key) : undefined;
    if (keeper) return keeper;
    throw channelsDownError(`The channel that stores ${shortenName(id)} is not available, and no other channel has it`);
  }

  remove({ userId }: Caller, id: string): Promise<void> {
    return this.#sources.responses.remove(userId, id);
  }

  async #find(user: number, id: string): Promise<PreviousContext | undefined> {
    await this.#sources.catchUp();
    return this.#sources.responses.find(user, id);
  }

  async #findItems(user: number, ids: readonly string[]): Promise<readonly UpstreamStoredItem[]> {
    await this.#sources.catchUp();
    return this.#sources.responses.findItems(user, ids);
  }
}

/** A pinned channel excludes all others. */
const mayUseChannel = ({ groups, pinnedChannel }: Caller, channel: RelayChannel): boolean =>
  pinnedChannel === undefined ? channel.groups.some((group) => groups.includes(group)) : channel.id === pinnedChannel;
