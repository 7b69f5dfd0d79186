import type { RelayError } from '@headgate/relay';

/** Whole phrases of providers about a key or an account; a stray "credit" or "balance" says nothing. */
const finalWords = [
  'invalid_api_key',
  'invalidapikey',
  'authfailure',
  'account_deactivated',
  'insufficient_quota',
  'authentication_error',
  'permission_error',
  'your access was terminated',
  'your credit balance is too low',
  'organization has been disabled',
  'organization has been restricted',
  'api key not valid',
  'api key expired',
  'incorrect api key',
  '已欠费',
] as const;

/** The provider said clearly that the key or the account is no good. */
export function isAboutTheKey({ type, code, message }: RelayError): boolean {
  const said = `${type} ${code} ${message}`.toLowerCase();
  return finalWords.some((words) => said.includes(words));
}
