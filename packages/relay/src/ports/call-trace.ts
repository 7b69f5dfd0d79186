import type { Outcome } from './ports.ts';
import type { RelayChannel } from './relay-channel.ts';
import type { RelayError } from './relay-error.ts';

/** How the try of a channel ended. */
export interface AttemptEnd {
  /** Status of the upstream; 0 when it did not answer. */
  readonly status: number;
  /** Undefined when the client has its reply, whole or broken off. */
  readonly error: RelayError | undefined;
  /** What was asked of the upstream; undefined when the request could not be put into its words. */
  readonly sent: { readonly url: string; readonly model: string } | undefined;
}

export interface AttemptTrace {
  /** Sent along, so that what the upstream writes down of its own work belongs to this try. */
  readonly headers: Readonly<Record<string, string>>;
  end(end: AttemptEnd): void;
}

/** Writes down what happens to a request, for whoever looks at it from outside. It must not throw. */
export interface CallTrace {
  /** A channel is about to be tried. */
  attempt(channel: RelayChannel): AttemptTrace;
  /** Comes before the end of the try that delivered. */
  settled(outcome: Outcome): void;
}
