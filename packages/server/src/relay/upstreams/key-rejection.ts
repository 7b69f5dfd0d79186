import type { RelayError } from '@headgate/relay';

/**
 * Provider values of `code` or `type` for an invalid key or account. Compared as a whole, because a sentence in these
 * fields may quote the request.
 */
const finalCodes: ReadonlySet<string> = new Set([
  'invalid_api_key',
  'invalidapikey',
  'account_deactivated',
  'insufficient_quota',
  'exceeded_current_quota_error',
  'arrearage',
  'authfailure',
  'authfailure.invalidsecretid',
  'authfailure.secretidnotfound',
  'authfailure.signaturefailure',
  'authfailure.tokenfailure',
]);

/** Used for an invalid key, and also for features that the key may not use, such as a beta requested by the client. */
const authenticationErrorType = 'authentication_error';

/** Beginnings of messages about an invalid key. The rest of a message is ignored, because it may quote the request. */
const finalBeginnings: readonly string[] = [
  'your access was terminated',
  'your credit balance is too low',
  'insufficient balance',
  'this organization has been disabled',
  'organization has been disabled',
  'your organization has been disabled',
  'organization has been restricted',
  'your organization has been restricted',
  'api key not valid',
  'api key expired',
  'incorrect api key',
  'invalid x-api-key',
  '已欠费',
  '账户已欠费',
  '您的账户已欠费',
];

/** Statuses that concern the key; an empty account may also be reported as 429. */
const keyStatuses: ReadonlySet<number> = new Set([401, 402, 403]);
const tooMany = 429;
const emptyAccount = 'insufficient_quota';

/** True if the provider rejects the key or the account. */
export function isKeyRejection({ type, code, message }: RelayError, hasClientHeaders = false): boolean {
  const codes = [type.toLowerCase(), code?.toLowerCase() ?? ''];
  if (codes.some((word) => finalCodes.has(word))) return true;
  if (codes.includes(authenticationErrorType) && !hasClientHeaders) return true;
  const lowercase = message.toLowerCase();
  return finalBeginnings.some((text) => lowercase.startsWith(text));
}

/** True if a failure is permanent for the channel, independent of the client. */
export function shouldDisableChannel(status: number, error: RelayError, hasClientHeaders: boolean): boolean {
  if (status === tooMany) return error.code === emptyAccount || error.type === emptyAccount;
  return keyStatuses.has(status) && isKeyRejection(error, hasClientHeaders);
}
