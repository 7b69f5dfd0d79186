import type { RelayError } from '@headgate/relay';

/**
 * What providers call a key or an account that is no good, in `code` or `type`. Compared whole: some put a sentence
 * there, and a sentence may quote the request.
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

/**
 * The type of error for a wrong key, but also for what a request may not do with it, such as a beta that its client
 * asked for.
 */
const refusedType = 'authentication_error';

/**
 * How a message about a wrong key begins. Behind its beginning it may quote the request, so nothing is looked for
 * there.
 */
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

/** Statuses that are about who asks; an empty account may also be told as too many requests. */
const aboutKeys: ReadonlySet<number> = new Set([401, 402, 403]);
const tooMany = 429;
const emptyAccount = 'insufficient_quota';

/** The provider said clearly that the key or the account is no good. */
export function isKeyRejection({ type, code, message }: RelayError, hasClientHeaders = false): boolean {
  const codes = [type.toLowerCase(), code?.toLowerCase() ?? ''];
  if (codes.some((word) => finalCodes.has(word))) return true;
  if (codes.includes(refusedType) && !hasClientHeaders) return true;
  const said = message.toLowerCase();
  return finalBeginnings.some((words) => said.startsWith(words));
}

/** A failure while people use a channel that is the end of it, whoever asks next. */
export function shouldDisableChannel(status: number, error: RelayError, hasClientHeaders: boolean): boolean {
  if (status === tooMany) return error.code === emptyAccount || error.type === emptyAccount;
  return aboutKeys.has(status) && isKeyRejection(error, hasClientHeaders);
}
