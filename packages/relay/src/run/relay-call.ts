import type { CallTrace } from '../ports/call-trace.ts';
import type { ClientSink } from '../ports/client-sink.ts';
import type { Caller, RequestMemoryLimit } from '../ports/ports.ts';
import type { RequestLimits } from '../ports/request-limits.ts';
import type { RelayRequest } from '../request/read-request.ts';

/** A request to be relayed, with its client. */
export interface RelayCall<By extends Caller = Caller> {
  readonly caller: By;
  readonly request: RelayRequest;
  readonly client: ClientSink;
  readonly requestId: string;
  /** Memory accounting; the body is already counted. */
  readonly memory: RequestMemoryLimit;
  /** True if each processing step of the body takes milliseconds and runs in a separate turn of the event loop. */
  readonly isHeavy?: boolean;
  /** Absent if the request is not traced. */
  readonly trace?: CallTrace | undefined;
  /** Limits that apply to the request; absent: none. */
  readonly limits?: RequestLimits | undefined;
}
