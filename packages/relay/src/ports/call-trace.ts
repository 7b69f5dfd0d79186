import type { Outcome } from './ports.ts';
import type { RelayChannel } from './relay-channel.ts';
import type { RelayError } from './relay-error.ts';

/** Result of one attempt on a channel. */
export interface AttemptEnd {
  /** Upstream status; 0 if there was no response. */
  readonly status: number;
  /** Undefined if the client has its response, complete or aborted. */
  readonly error: RelayError | undefined;
  /** The upstream request; undefined if the request could not be translated. */
  readonly sent: { readonly url: string; readonly model: string } | undefined;
}

export interface AttemptTrace {
  /** Trace headers for the upstream, so that its spans belong to this attempt. */
  readonly headers: Readonly<Record<string, string>>;
  end(end: AttemptEnd): void;
}

/** Traces a request for observability. It must not throw. */
export interface CallTrace {
  /** Called before a channel is tried. */
  attempt(channel: RelayChannel): AttemptTrace;
  /** Called before the end of the attempt that delivered the response. */
  settled(outcome: Outcome): void;
}
