import { channelCreation } from '@headgate/contract';
import type { TargetChannel, TargetRules } from '@headgate/importer';
import { isTokenKey } from '../../accounts/api-tokens/token-key.ts';
import { isBcryptHash } from '../../accounts/users/bcrypt.ts';
import { writeConfig } from '../../catalog/channels/channel-config.ts';
import { type FieldName, fieldNames, tidyFields } from '../../catalog/channels/channel-fields.ts';
import { Refusal } from '../../platform/errors/refusal.ts';
import { isAddressRange } from '../../platform/runtime/address-range.ts';
import { hashSecret } from '../../platform/secrets/secret-box.ts';

/** Rules of this server for the importer. */
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
  checkChannelKey: (channel) => tidied(channel, ['key']),
};

function tidied(channel: TargetChannel, judged: readonly FieldName[]): ReturnType<TargetRules['checkChannel']> {
  try {
    return tidyFields(channel, judged);
  } catch (error) {
    if (error instanceof Refusal) return { reason: `cannot be saved here: ${error.messageIn('en')}` };
    throw error;
  }
}
