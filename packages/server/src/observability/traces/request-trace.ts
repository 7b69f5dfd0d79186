import {
  type AttemptEnd,
  type AttemptTrace,
  type CallTrace,
  type EndpointKind,
  type Outcome,
  type RelayChannel,
  RelayError,
} from '@headgate/relay';
import { providerName } from './provider-name.ts';
import { formatTraceParent } from './sampler.ts';
import { maxAttributeLength, type Span, type SpanAttributes, spanKind } from './span.ts';

export interface TraceParent {
  readonly traceId: string;
  readonly parentSpanId: string | undefined;
  readonly state: string;
  /** True if the context is passed on to upstreams. */
  readonly isPropagated: boolean;
  readonly newSpanId: () => string;
}

export interface TracedRequest {
  readonly kind: EndpointKind;
  readonly requestId: string;
  readonly startMs: number;
}

export interface TraceHooks {
  /** Error reason from a fixed set: upstream messages may quote the prompt. */
  readonly reasonOf: (error: RelayError, status: number) => string;
  readonly onSpan: (span: Span) => void;
}

interface Child extends Pick<Span, 'spanId' | 'startMs' | 'endMs' | 'isFailed'> {
  readonly name: string;
  readonly attributes: SpanAttributes;
}

const firstServerError = 500;

/** Trace headers of one attempt. */
export function contextHeaders(
  { traceId, state, isPropagated }: TraceParent,
  spanId: string,
  isSampled: boolean,
): Readonly<Record<string, string>> {
  if (!isPropagated) return {};
  const traceparent = formatTraceParent(traceId, spanId, isSampled);
  return state === '' ? { traceparent } : { traceparent, tracestate: state };
}

/**
 * Spans of one request: its own, and a child for each attempt on a channel. Contains no prompt, no response and no
 * upstream message.
 */
export class RequestTrace implements CallTrace {
  readonly #parent: TraceParent;
  readonly #request: TracedRequest;
  readonly #finishing: TraceHooks;
  readonly #spanId: string;
  readonly #children: Child[] = [];
  #outcome: Outcome | undefined;
  #rejection: { readonly error: unknown; readonly model: string } | undefined;
  #status: number | undefined;
  #isServed = false;
  #isClosed = false;

  constructor(parent: TraceParent, request: TracedRequest, finishing: TraceHooks) {
    this.#parent = parent;
    this.#request = request;
    this.#finishing = finishing;
    this.#spanId = parent.newSpanId();
  }

  attempt(channel: RelayChannel): AttemptTrace {
    const spanId = this.#parent.newSpanId();
    const startMs = performance.now();
    return {
      headers: contextHeaders(this.#parent, spanId, true),
      end: (end) => this.#children.push(this.#childOf(channel, { spanId, startMs }, end)),
    };
  }

  settled(outcome: Outcome): void {
    this.#outcome = outcome;
  }

  /** The client got an error instead of a response. */
  rejected(error: unknown, model: string): void {
    this.#rejection = { error, model: shortCopy(model) };
  }

  /** Processing has ended; the client may still be reading. */
  served(isClosed: boolean): void {
    this.#isServed = true;
    if (isClosed) this.#isClosed = true;
    this.#finish();
  }

  /** The response was sent or the client disconnected, possibly before there was a status. */
  closed(status: number | undefined): void {
    this.#isClosed = true;
    this.#status = status;
    this.#finish();
  }

  #childOf(
    channel: RelayChannel,
    begun: { readonly spanId: string; readonly startMs: number },
    { status, error, sent }: AttemptEnd,
  ): Child {
    const operation = operations[this.#request.kind.name];
    const delivered = error === undefined ? this.#outcome : undefined;
    const failure = error ?? delivered?.failure?.error;
    const address = sent && URL.parse(sent.url);
    return {
      ...begun,
      endMs: performance.now(),
      name: sent ? `${operation} ${sent.model}` : operation,
      isFailed: error !== undefined || (delivered?.endedBy !== undefined && delivered.endedBy !== 'client'),
      attributes: {
        'gen_ai.operation.name': operation,
        'gen_ai.provider.name': providerName(channel.type),
        'gen_ai.request.model': sent?.model,
        'server.address': address?.hostname,
        'server.port': address ? portOf(address) : undefined,
        'http.request.method': 'POST',
        'http.response.status_code': status || undefined,
        'error.type': failure && this.#finishing.reasonOf(failure, status),
        'headgate.channel.id': channel.id,
        'headgate.channel.key_id': channel.keyId,
        ...(delivered && usageOf(delivered)),
      },
    };
  }

  #finish(): void {
    if (!this.#isServed || !this.#isClosed) return;
    this.#isServed = false;
    const { traceId, parentSpanId, state } = this.#parent;
    const { onSpan } = this.#finishing;
    const { kind, startMs } = this.#request;
    for (const child of this.#children)
      onSpan({ traceId, state, parentSpanId: this.#spanId, kind: spanKind.client, ...child });
    onSpan({
      traceId,
      state,
      parentSpanId,
      spanId: this.#spanId,
      name: `POST ${kind.path}`,
      kind: spanKind.server,
      startMs,
      endMs: performance.now(),
      isFailed: (this.#status ?? 0) >= firstServerError || isEndedByOtherSide(this.#outcome),
      attributes: this.#attributes(),
    });
  }

  #attributes(): SpanAttributes {
    const { kind, requestId } = this.#request;
    const outcome = this.#outcome;
    const failure = outcome?.failure?.error ?? this.#rejection?.error;
    return {
      'http.request.method': 'POST',
      'http.route': kind.path,
      'url.scheme': 'http',
      'http.response.status_code': this.#status,
      'error.type':
        failure instanceof RelayError ? this.#finishing.reasonOf(failure, outcome?.failure?.status ?? 0) : undefined,
      'gen_ai.operation.name': operations[kind.name],
      'gen_ai.request.model': outcome?.model ?? (this.#rejection?.model || undefined),
      'gen_ai.request.stream': outcome?.isStream,
      'headgate.request.id': requestId,
      'headgate.attempts': this.#children.length,
      ...(outcome && {
        'headgate.user.id': outcome.caller.userId,
        'headgate.token.id': outcome.caller.tokenId,
        'headgate.group': outcome.group,
        'headgate.quota': outcome.quota,
        'headgate.ended_by': outcome.endedBy,
      }),
    };
  }
}

/** Copies a client-supplied name, because a substring would keep the whole string in memory while the span waits. */
const shortCopy = (name: string): string =>
  name.length > maxAttributeLength ? Buffer.from(name.slice(0, maxAttributeLength)).toString() : name;

const isEndedByOtherSide = (outcome: Outcome | undefined): boolean =>
  outcome?.endedBy === 'upstream' || outcome?.endedBy === 'server';

/** Set only on the attempt that delivered the response, so that summing spans counts usage once. */
const usageOf = (outcome: Outcome): SpanAttributes => ({
  'gen_ai.request.stream': outcome.isStream,
  'gen_ai.usage.input_tokens': outcome.promptTokens,
  'gen_ai.usage.output_tokens': outcome.completionTokens,
  'gen_ai.usage.cache_read.input_tokens': outcome.parts?.cached || undefined,
  'gen_ai.usage.cache_creation.input_tokens': outcome.parts?.written || undefined,
  'gen_ai.usage.reasoning.output_tokens': outcome.parts?.reasoning || undefined,
  'gen_ai.response.time_to_first_chunk': outcome.firstByteMs ? outcome.firstByteMs / 1000 : undefined,
});

const usualPorts: Readonly<Record<string, number>> = { 'http:': 80, 'ws:': 80, 'https:': 443, 'wss:': 443 };

const portOf = ({ port, protocol }: URL): number | undefined => (port === '' ? usualPorts[protocol] : Number(port));

/** GenAI operation names; our own where no standard name exists. */
const operations: Readonly<Record<EndpointKind['name'], string>> = {
  chat: 'chat',
  responses: 'chat',
  messages: 'chat',
  ollamaChat: 'chat',
  generateContent: 'generate_content',
  ollamaGenerate: 'text_completion',
  completions: 'text_completion',
  embeddings: 'embeddings',
  compact: 'compact',
  moderations: 'moderation',
  rerank: 'rerank',
  ocr: 'ocr',
  images: 'image_generation',
  imageEdits: 'image_edit',
  speech: 'speech',
  transcriptions: 'transcription',
  translations: 'translation',
};
