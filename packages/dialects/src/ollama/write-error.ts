import type { ErrorResponse, Failure } from '../dialect.ts';

const errorOf = ({ message, requestId }: Failure) => ({ error: `${message} (request id: ${requestId})` });

export const writeError = (failure: Failure): ErrorResponse => ({ status: failure.status, body: errorOf(failure) });

export const writeErrorEvent = (failure: Failure): string => `${JSON.stringify(errorOf(failure))}\n`;
