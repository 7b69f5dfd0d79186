import { channelType, mostKeysOfChannel } from '@headgate/contract';
import { Refusal } from '../../platform/errors/refusal.ts';
import { type ChannelFields, tidyFields } from './channel-fields.ts';

/** Whether a channel of this type may have several keys: of some the key is made of fields of which there is one each. */
export const mayHaveKeys = (type: number): boolean => channelType(type)?.keyParts === undefined;

/** The keys in the lines of a text, as often as they stand there. */
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
