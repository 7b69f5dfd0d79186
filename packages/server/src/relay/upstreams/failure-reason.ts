import type { LogReason } from '@headgate/contract';
import { isContentFilterCode } from '@headgate/providers';
import type { RelayError } from '@headgate/relay';
import type { ChannelFailureDetails } from '../../catalog/channels/channel-health-service.ts';
import { isKeyRejection } from './key-rejection.ts';

type ProviderError = Pick<RelayError, 'status' | 'code' | 'type' | 'message'>;

interface Failed {
  /** Upstream status; 0 if no upstream responded or none was tried. */
  readonly status: number;
  readonly error: RelayError;
}

/** A Map, because upstreams control the lookup key and must not reach properties of Object.prototype. */
function byName(rows: Readonly<Record<string, LogReason>>): ReadonlyMap<string, LogReason> {
  return new Map(Object.entries(rows));
}

/** Reason of a failure, from the closed list. The only place where failures are classified. */
export function failureReasonOf({ status, error }: Failed): LogReason {
  if (status === 0) return ownReason(error);
  return brokenReason(error) ?? providerReason(status, error) ?? statusReason(status, error);
}

/** The reason and the other stored details of a channel failure. */
export const failureDetails = ({
  status,
  error,
  model,
}: Failed & { readonly model: string }): ChannelFailureDetails => ({
  status,
  reason: failureReasonOf({ status, error }),
  message: error.message,
  model,
});

/** Error codes of this gateway. An upstream may also be such a gateway and use them for its own users. */
const ownCodes: ReadonlyMap<string, LogReason> = byName({
  no_channel: 'no_channel',
  insufficient_user_quota: 'no_quota',
  insufficient_token_quota: 'no_quota',
  quota_held: 'no_quota',
  budget_exhausted: 'no_quota',
  token_exhausted: 'no_quota',
  model_not_allowed: 'model_not_allowed',
  model_without_price: 'model_not_allowed',
  model_not_found: 'not_found',
  too_many_requests_under_way: 'too_many',
  rate_limit_exceeded: 'too_many',
  channel_limit_reached: 'too_many',
  token_disabled: 'token_refused',
  token_expired: 'token_refused',
  address_not_allowed: 'token_refused',
  account_banned: 'token_refused',
  channel_not_allowed: 'token_refused',
  second_factor_required: 'token_refused',
  endpoint_not_allowed: 'token_refused',
  jwt_not_mapped: 'token_refused',
  bad_response: 'bad_answer',
});

function ownReason(error: ProviderError): LogReason {
  const reason = ownCodes.get(error.code ?? '');
  if (reason) return reason;
  if (error.code === 'upstream_unreachable') return isLate(error) ? 'timeout' : 'unreachable';
  if (error.status >= 400 && error.status < 500) return 'refused_request';
  return 'other';
}

/** Endings of this gateway's timeout messages. */
const lateEnds: readonly string[] = [
  'no response in time',
  'idle timeout',
  'the connection timed out',
  '_TIMEOUT',
  'ETIMEDOUT',
];

const isLate = ({ message }: ProviderError): boolean => lateEnds.some((end) => message.endsWith(end));

/** Codes of responses that started successfully but are unusable. */
const brokenCodes: ReadonlySet<string> = new Set(['bad_response', 'upstream_broke', 'unknown_encoding']);

function brokenReason(error: ProviderError): LogReason | undefined {
  if (!brokenCodes.has(error.code ?? '')) return undefined;
  return isLate(error) ? 'timeout' : 'bad_answer';
}

/**
 * Provider values of `code` or `type`, in lower case. Compared as a whole, because a sentence in these fields may
 * quote the request.
 */
const providerCodes: ReadonlyMap<string, LogReason> = byName({
  insufficient_quota: 'no_balance',
  exceeded_current_quota_error: 'no_balance',
  arrearage: 'no_balance',
  billing_error: 'no_balance',
  billing_not_active: 'no_balance',
  rate_limit_exceeded: 'rate_limited',
  rate_limit_error: 'rate_limited',
  resource_exhausted: 'rate_limited',
  overloaded_error: 'overloaded',
  model_not_found: 'not_found',
  deploymentnotfound: 'not_found',
});

/** Beginnings of messages about an empty account. The rest of a message may quote the request. */
const emptyBeginnings: readonly string[] = [
  'your credit balance is too low',
  'insufficient balance',
  'you exceeded your current quota',
  '已欠费',
  '账户已欠费',
  '您的账户已欠费',
];

function providerReason(status: number, error: RelayError): LogReason | undefined {
  const message = error.message.toLowerCase();
  if (emptyBeginnings.some((text) => message.startsWith(text))) return 'no_balance';
  if (isContentFilterCode(error.code) || isContentFilterCode(error.type)) return 'filtered';
  const byCode = providerCodes.get(error.code?.toLowerCase() ?? '') ?? providerCodes.get(error.type.toLowerCase());
  if (byCode) return byCode;
  // For a client error, the message is not searched for signs of an invalid key.
  return status !== 400 && isKeyRejection(error) ? 'key_rejected' : undefined;
}

const byStatus: Readonly<Record<number, LogReason>> = {
  401: 'key_rejected',
  402: 'no_balance',
  403: 'key_rejected',
  404: 'not_found',
  408: 'timeout',
  410: 'not_found',
  429: 'rate_limited',
  503: 'overloaded',
  504: 'timeout',
  524: 'timeout',
  529: 'overloaded',
};

function statusReason(status: number, error: ProviderError): LogReason {
  const reason = byStatus[status];
  if (reason) return reason;
  if (status >= 500) return 'server_error';
  if (status >= 400) return 'refused_request';
  return error.status >= 500 ? 'bad_answer' : 'other';
}
