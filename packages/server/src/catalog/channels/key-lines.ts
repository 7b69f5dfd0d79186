import { type ChannelFields, channelType, maxKeysPerChannel } from '@headgate/contract';
import { ApiError } from '../../platform/errors/api-error.ts';
import { normalizeFields } from './channel-fields.ts';

/** False for types with a multi-part key. */
export const supportsMultipleKeys = (type: number): boolean => channelType(type)?.keyParts === undefined;

/** Keys of a text, one per line, including duplicates. */
export function parseKeyLines(channel: ChannelFields, text: string): string[] {
  if (!supportsMultipleKeys(channel.type)) throw new ApiError('severalKeysUnavailable');
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length > 2 * maxKeysPerChannel) throw tooManyKeysError();
  return lines.map((key) => normalizeFields({ ...channel, key }, ['key']).key);
}

export const tooManyKeysError = () => new ApiError('tooManyKeysOfChannel', { max: String(maxKeysPerChannel) });
