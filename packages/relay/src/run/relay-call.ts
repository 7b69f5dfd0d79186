import type { CallTrace } from '../ports/call-trace.ts';
import type { ClientSink } from '../ports/client-sink.ts';
import type { Caller, RequestMemory } from '../ports/ports.ts';
import type { RequestLimits } from '../ports/request-limits.ts';
import type { RelayRequest } from '../request/read-request.ts';

/** One request to be relayed, and who waits for its answer. */
export interface RelayCall<By extends Caller = Caller> {
  readonly caller: By;
  readonly request: RelayRequest;
  readonly client: ClientSink;
  readonly requestId: string;
  /** The count of its bytes in memory; the body is counted there already. */
  readonly memory: RequestMemory;
  /** Each step over its body takes milliseconds, and waits for a turn of its own. */
  readonly isHeavy?: boolean;
  /** Absent where nobody traces. */
  readonly trace?: CallTrace | undefined;
  /** Its part in the limits that apply; absent: none does. */
  readonly limits?: RequestLimits | undefined;
}
