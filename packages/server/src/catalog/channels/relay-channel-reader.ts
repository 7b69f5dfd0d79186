import type { ChannelFields } from '@headgate/contract';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { ChannelKeyRepository } from './channel-key-repository.ts';
import type { ChannelRepository } from './channel-repository.ts';
import { decryptChannelFields } from './encrypted-channel.ts';

interface RelayChannelReaderDependencies {
  readonly channels: ChannelRepository;
  readonly keys: ChannelKeyRepository;
  readonly box: SecretBox;
  /** Called when a channel or one of its keys cannot be read and is not used. */
  readonly onUnreadable: (channel: number, error: unknown) => void;
}

/** One of several keys, in plain text. */
export interface DecryptedKey {
  readonly id: number;
  readonly weight: number;
  /** Percentage of the channel's cost. */
  readonly cost_percent: number;
  readonly key: string;
}

type EnabledChannel = ChannelFields & {
  readonly id: number;
  readonly keys?: readonly [DecryptedKey, ...DecryptedKey[]];
};

/** Reads the channels that the relay uses. */
export class RelayChannelReader {
  readonly #dependencies: RelayChannelReaderDependencies;

  constructor(dependencies: RelayChannelReaderDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Enabled channels with plain-text keys. A channel without an enabled key is left out, and so are
   * channels and keys that cannot be read.
   */
  async enabled(): Promise<readonly EnabledChannel[]> {
    const { channels, keys, box, onUnreadable } = this.#dependencies;
    const rows = await channels.enabled();
    const several = rows.some((row) => row.key_count > 0) ? await keys.enabled() : [];
    const byChannel = Map.groupBy(several, (key) => key.channel_id);
    const findWithKey = ({ id, weight, cost_percent, key_sealed }: (typeof several)[number]) => ({
      id,
      weight,
      cost_percent,
      key: box.open(key_sealed),
    });
    const readable = <T>(id: number, read: () => T): T[] => {
      try {
        return [read()];
      } catch (error) {
        onUnreadable(id, error);
        return [];
      }
    };
    return rows.flatMap((row) => {
      const [channel] = readable(row.id, () => ({ id: row.id, ...decryptChannelFields(row, box) }));
      if (!channel || row.key_count === 0) return channel ?? [];
      const ofChannel = byChannel.get(row.id) ?? [];
      const [first, ...others] = ofChannel.flatMap((key) => readable(row.id, () => findWithKey(key)));
      return first ? [{ ...channel, keys: [first, ...others] }] : [];
    });
  }

  /** Automatically disabled channels with their tag, groups and models. */
  disabledByMonitor(): ReturnType<ChannelRepository['disabledByMonitor']> {
    return this.#dependencies.channels.disabledByMonitor();
  }
}
