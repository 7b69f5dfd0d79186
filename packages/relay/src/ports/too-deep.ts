import { RelayError } from './relay-error.ts';

/** The parser accepts any nesting depth, but code that walks the body afterwards does not. */
export const isTooDeepError = (error: unknown) => error instanceof RangeError && error.message.includes('call stack');
export const tooDeepError = () => new RelayError(400, 'The body is nested too deeply', null, 'invalid_request_error');
