/**
 * What is written into the log beside consumption. The English sentence is stored as the row's content; the event and
 * its values go into `detail`, from which the console tells it in the reader's language.
 */
export const logEvents = {
  'user.gift': 'New user gift: {amount}',
  'user.invited': 'Reward for using an invite code: {amount}',
  'user.inviter': 'Reward for inviting {user}: {amount}',
  'user.redeemed': 'Redeemed a code worth {amount}',
  'user.topped_up': '{admin} added {amount}',
  'user.topped_up_with_remark': '{admin} added {amount}: {remark}',
  'user.created': '{admin} created user {user}',
  'user.registered': '{user} registered',
  'user.registered_with': '{user} registered with {provider}',
  'user.bound': '{user} bound {provider}',
  'user.second_factor_on': '{user} turned on the second factor',
  'user.second_factor_off': '{user} turned off the second factor',
  'user.elsewhere_on': '{user} let mail and other providers open the super admin account',
  'user.elsewhere_off': '{user} no longer lets mail and other providers open the super admin account',
  'user.second_factor_reset': '{admin} reset the second factor of {user}',
  'user.passkey_added': '{user} added the passkey {passkey}',
  'user.passkey_removed': '{user} removed the passkey {passkey}',
  'user.unbound': '{user} unbound {provider}',
  'user.quota': '{admin} changed the quota of {user} from {before} to {after}',
  'user.quota_taken': '{admin} took {amount} from {user}: {remark}',
  'user.tokens_off': '{admin} disabled all tokens of {user}',
  'user.tokens_off_count': '{admin} disabled {count} tokens of {user}',
  'user.signed_out': '{admin} signed {user} out everywhere',
  'user.group': '{admin} changed the group of {user} from {before} to {after}',
  'user.renamed': '{admin} renamed {before} to {after}',
  'user.display_name': '{admin} changed the display name of {user} from {before} to {after}',
  'user.password': '{admin} set the password of {user}',
  'user.reset_password': '{user} set a new password through a mailed link',
  'user.promote': '{admin} made {user} an admin',
  'user.demote': '{admin} made {user} a common user',
  'user.enable': '{admin} activated {user}',
  'user.disable': '{admin} banned {user}',
  'user.delete': '{admin} deleted {user}',
  'user.deleted_self': '{user} deleted the own account',
  'channel.created': '{admin} created channel {channel}',
  'channel.updated': '{admin} changed channel {channel}: {fields}',
  'channel.bulk_updated': '{admin} changed channel {channel}, with others: {changes}',
  'channel.bulk_undone': '{admin} took back the change of channel {channel}: {changes}',
  'channel.deleted': '{admin} deleted channel {channel}',
  'channel.deleted_disabled': '{admin} deleted {count} disabled channels',
  'channel.disabled_by_monitor': 'Channel {channel} was disabled automatically: {reason}',
  'channel.enabled_by_monitor': 'Channel {channel} answers again and was enabled automatically',
  'channel.disabled_without_key': 'Channel {channel} was disabled: none of its keys is enabled',
  'channel.enabled_with_key': 'Channel {channel} was enabled again with one of its keys',
  'channel.keys_added': '{admin} added {count} keys to channel {channel}: {keys}',
  'channel.keys_changed': '{admin} changed {count} keys of channel {channel}: {changes}',
  'channel.keys_removed': '{admin} removed {count} keys of channel {channel}: {keys}',
  'channel.key_disabled_by_monitor': 'Key {key} of channel {channel} was disabled automatically: {reason}',
  'channel.key_enabled_by_monitor': 'Key {key} of channel {channel} answers again and was enabled automatically',
  'redemption.created': '{admin} created {count} codes named {name} worth {amount} each',
  'redemption.updated': '{admin} changed code {id}: {fields}',
  'redemption.deleted': '{admin} deleted code {id}',
  'option.updated': '{admin} changed {key} from {before} to {after}',
  'option.set': '{admin} set {key} to {after}',
  'option.emptied': '{admin} emptied {key}, which was {before}',
  'option.secret': '{admin} changed {key}',
  'log.cleaned': '{admin} deleted {count} logs before {time}',
} as const;

export type LogEvent = keyof typeof logEvents;

type Values = Readonly<Record<string, string | number>>;

/** Writes values into a sentence with `{names}`. */
export const fillSentence = (sentence: string, values: Values): string =>
  sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
