import { ApiError, type ApiErrorValue } from '../../platform/errors/api-error.ts';
import { OutgoingError } from '../../platform/outgoing/request-json.ts';
import { ProviderRejectedError, UntrustedResponseError } from './provider.ts';

/** Error for a provider failure; undefined when the gateway is at fault. */
export function providerErrorFor(
  provider: ApiErrorValue,
  error: unknown,
  rejected: 'providerRejected' | 'wrongEmailCode' = 'providerRejected',
): ApiError | undefined {
  if (error instanceof UntrustedResponseError)
    return new ApiError('providerUntrusted', { provider, reason: error.reason });
  if (error instanceof ProviderRejectedError) return new ApiError(rejected, { provider });
  if (!(error instanceof OutgoingError)) return undefined;
  return new ApiError(error.kind === 'unreachable' ? 'providerUnreachable' : 'providerUnreadable', { provider });
}
