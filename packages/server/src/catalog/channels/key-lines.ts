import { channelType, mostKeysOfChannel } from '@headgate/contract';
import { Refusal } from '../../platform/errors/refusal.ts';
import { type ChannelFields, tidyFields } from './channel-fields.ts';

/** False for types whose key is composed of fields. */
export const mayHaveKeys = (type: number): boolean => channelType(type)?.keyParts === undefined;

/** Keys of a text, one per line, including duplicates. */
export function keysInLines(channel: ChannelFields, text: string): string[] {
  if (!mayHaveKeys(channel.type)) throw new Refusal('severalKeysUnavailable');
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length > 2 * mostKeysOfChannel) throw tooManyKeys();
  return lines.map((key) => tidyFields({ ...channel, key }, ['key']).key);
}

export const tooManyKeys = () => new Refusal('tooManyKeysOfChannel', { max: String(mostKeysOfChannel) });
