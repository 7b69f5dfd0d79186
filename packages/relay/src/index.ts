export { Account } from './books/account.ts';
export { Reservation, type Shortage } from './books/reservation.ts';
export type { ClientSink } from './client-sink.ts';
export { type EndpointKind, endpointKinds } from './endpoint-kinds.ts';
export type { Caller, Outcome, Ports, RelayChannel, Route } from './ports.ts';
export { readRequest } from './read-request.ts';
export { type RelayCall, relayCall } from './relay-call.ts';
export { RelayError } from './relay-error.ts';
export { Upstreams } from './upstream.ts';
