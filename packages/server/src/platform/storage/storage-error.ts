import { RelayError } from '@headgate/relay';
import { faultWords } from './storage-fault.ts';

/** A full disk needs an operator; a slow one may recover within seconds. */
const storableAfterSeconds = 5;

/** Error for relay clients while nothing can be stored. */
export function storageUnavailable(trouble: keyof typeof faultWords): RelayError {
  const words = `Requests cannot be charged: ${faultWords[trouble]}. Try again later`;
  const error = new RelayError(503, words, 'storage_unavailable');
  error.retryAfter = storableAfterSeconds;
  return error;
}
