import { RelayError } from '@headgate/relay';
import { faultWords } from './storage-fault.ts';

/** Where a disk is full somebody has to act; where it is slow it may be over in a moment. */
const storableAfterSeconds = 5;

/** What clients of the relay are told while nothing can be stored. */
export function storageUnavailable(trouble: keyof typeof faultWords): RelayError {
  const words = `Nothing can be charged at the moment: ${faultWords[trouble]}. Try again later`;
  const error = new RelayError(503, words, 'storage_unavailable');
  error.retryAfter = storableAfterSeconds;
  return error;
}
