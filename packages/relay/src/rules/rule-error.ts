import { RelayError } from '../ports/relay-error.ts';

/** Code of an error caused by a channel's rules; another channel may serve the request. */
export const ruleNotAllowedCode = 'rule_not_allowed';

export const ruleNotAllowedError = (reason: string): RelayError =>
  new RelayError(500, `A rule of the channel cannot be applied: ${reason}`, ruleNotAllowedCode);
