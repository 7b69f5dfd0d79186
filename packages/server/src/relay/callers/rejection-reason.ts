import type { LogReason } from '@headgate/contract';
import type { RelayError } from '@headgate/relay';
import { failureReasonOf } from '../upstreams/failure-reason.ts';

/** Errors that are never written to the log. */
const unwritten = {
  invalid_api_key: 'unknown_token',
  out_of_touch: 'out_of_touch',
  storage_unavailable: 'storage',
  server_shutting_down: 'shutting_down',
} as const;

type RejectionReason = LogReason | (typeof unwritten)[keyof typeof unwritten];

/** Reason for rejecting a request before routing, from a closed list. */
export function rejectionReasonOf(error: RelayError): RejectionReason {
  const { code } = error;
  if (code !== null && Object.hasOwn(unwritten, code)) return unwritten[code as keyof typeof unwritten];
  return failureReasonOf({ status: 0, error });
}
