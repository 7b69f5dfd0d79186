import { randomFillSync } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { AttemptTrace, CallTrace } from '@headgate/relay';
import {
  contextHeaders,
  RequestTrace,
  type TracedRequest,
  type TraceHooks,
  type TraceParent,
} from './request-trace.ts';
import { isSampled, readTraceContext } from './sampler.ts';
import type { TraceSettings } from './trace-settings.ts';

/** The trace methods used by the relay's ingress. */
export type IngressTrace = CallTrace & Pick<RequestTrace, 'rejected' | 'served' | 'closed'>;

/** Starts the trace of each request. */
export class Tracer {
  readonly #settings: TraceSettings;
  readonly #finishing: TraceHooks;
  readonly #ids = new RandomIds();

  constructor(settings: TraceSettings, finishing: TraceHooks) {
    this.#settings = settings;
    this.#finishing = finishing;
  }

  /** Undefined if the request is not sampled and no context is passed on. */
  begin(headers: IncomingHttpHeaders, request: TracedRequest): IngressTrace | undefined {
    const { isPropagated } = this.#settings;
    const parent = isPropagated ? readTraceContext(headers) : undefined;
    const place: TraceParent = {
      traceId: parent?.traceId ?? this.#ids.trace(),
      parentSpanId: parent?.spanId,
      state: parent?.state ?? '',
      isPropagated,
      newSpanId: () => this.#ids.span(),
    };
    if (!isSampled(this.#settings, place.traceId, parent)) return isPropagated ? new UnsampledTrace(place) : undefined;
    return new RequestTrace(place, request, this.#finishing);
  }
}

const nothing = () => undefined;

/** Trace of a request that is not sampled; only passes the decision on to upstreams. */
class UnsampledTrace implements IngressTrace {
  readonly #parent: TraceParent;
  readonly settled = nothing;
  readonly rejected = nothing;
  readonly served = nothing;
  readonly closed = nothing;

  constructor(parent: TraceParent) {
    this.#parent = parent;
  }

  attempt(): AttemptTrace {
    return { headers: contextHeaders(this.#parent, this.#parent.newSpanId(), false), end: nothing };
  }
}

const poolBytes = 4096;

/** Random trace and span ids from a pool, because a system call for each would cost more than the rest of tracing. */
class RandomIds {
  readonly #pool = Buffer.alloc(poolBytes);
  #used = poolBytes;

  trace(): string {
    return this.#next(16);
  }

  span(): string {
    return this.#next(8);
  }

  #next(bytes: number): string {
    if (this.#used + bytes > poolBytes) {
      randomFillSync(this.#pool);
      this.#used = 0;
    }
    const id = this.#pool.toString('hex', this.#used, this.#used + bytes);
    this.#used += bytes;
    return id;
  }
}
