import { RelayError } from '@headgate/relay';
import { storageFaultMessages } from './storage-fault.ts';

/** A full disk needs an operator; a slow one may recover within seconds. */
const storableAfterSeconds = 5;

/** Error for relay clients while nothing can be stored. */
export function storageUnavailableError(trouble: keyof typeof storageFaultMessages): RelayError {
  const words = `Requests cannot be charged: ${storageFaultMessages[trouble]}. Try again later`;
  const error = new RelayError(503, words, 'storage_unavailable');
  error.retryAfter = storableAfterSeconds;
  return error;
}
