import { type ChannelFields, channelCreation } from '@headgate/contract';
import type { TargetRules } from '@headgate/importer';
import { isTokenKey } from '../../accounts/api-tokens/token-key.ts';
import { isBcryptHash } from '../../accounts/users/bcrypt.ts';
import { lookalikeKey } from '../../accounts/users/lookalike-names.ts';
import { writeConfig } from '../../catalog/channels/channel-config.ts';
import { type FieldName, fieldNames, normalizeFields } from '../../catalog/channels/channel-fields.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { isAddressRange } from '../../platform/runtime/address-range.ts';
import { hashSecret } from '../../platform/secrets/secret-box.ts';

/** This server's rules for the importer. */
export const targetRules: TargetRules = {
  hashSecret,
  isTokenKey,
  isAddressRange,
  isPasswordHash: isBcryptHash,
  checkChannel: (channel) => {
    const { config, ...fields } = channel;
    const [fault] = channelCreation.safeParse({ ...fields, config: writeConfig(config) }).error?.issues ?? [];
    if (fault) return { reason: `has more in ${JSON.stringify(String(fault.path[0]))} than a channel may have here` };
    return tidied(channel, fieldNames(channel));
  },
  lookalikeKey,
  checkChannelKey: (channel) => tidied(channel, ['key']),
};

function tidied(channel: ChannelFields, judged: readonly FieldName[]): ReturnType<TargetRules['checkChannel']> {
  try {
    return normalizeFields(channel, judged);
  } catch (error) {
    if (error instanceof ApiError) return { reason: `cannot be saved here: ${error.messageIn('en')}` };
    throw error;
  }
}
