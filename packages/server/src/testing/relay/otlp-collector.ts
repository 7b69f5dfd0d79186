import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Value = { stringValue?: string; intValue?: string; doubleValue?: number; boolValue?: boolean };
type Attributes = { readonly key: string; readonly value: Value }[];

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Attributes;
  readonly status: { readonly code?: number };
}

export interface ReceivedSpan extends Omit<WireSpan, 'attributes'> {
  readonly attributes: Readonly<Record<string, string | number | boolean | undefined>>;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly { readonly scope: { readonly name: string }; readonly spans: readonly WireSpan[] }[];
  }[];
}

/** Response of the collector to the nth export. */
export type CollectorResponse = (response: ServerResponse, nth: number) => void;

const takeAll: CollectorResponse = (response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');

/** Receives spans in OTLP's JSON format and decodes them like a collector. */
export class OtlpCollector {
  readonly #server = createServer();
  readonly #received = new EventEmitter();
  readonly spans: ReceivedSpan[] = [];
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  readonly bodies: string[] = [];
  resource: ReceivedSpan['attributes'] = {};

  static async start(reply: CollectorResponse = takeAll): Promise<OtlpCollector> {
    const collector = new OtlpCollector();
    collector.#server.on('request', async (request, response) => {
      const body = await text(request);
      collector.requests.push({ path: request.url ?? '', headers: request.headers });
      collector.bodies.push(body);
      collector.#take(JSON.parse(body) as Export);
      reply(response, collector.requests.length);
      collector.#received.emit('export');
    });
    collector.#server.listen(0, '127.0.0.1');
    await once(collector.#server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #take({ resourceSpans }: Export): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      this.resource = decoded(resource.attributes);
      for (const { spans } of scopeSpans)
        for (const span of spans) this.spans.push({ ...span, attributes: decoded(span.attributes) });
    }
  }

  /** Waits for this many exports. */
  async exports(count: number): Promise<void> {
    while (this.requests.length < count) await once(this.#received, 'export');
  }

  /** Waits for the spans of one request: its root span and the spans of its attempts in order. */
  async traceOf(requestId: string | null): Promise<{ readonly own: ReceivedSpan; readonly tries: ReceivedSpan[] }> {
    for (;;) {
      const own = this.spans.find(({ attributes }) => attributes['headgate.request.id'] === requestId);
      if (own) return { own, tries: this.spans.filter(({ parentSpanId }) => parentSpanId === own.spanId) };
      await once(this.#received, 'export');
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

const decoded = (attributes: Attributes): ReceivedSpan['attributes'] =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.intValue === undefined
        ? (value.stringValue ?? value.doubleValue ?? value.boolValue)
        : Number(value.intValue),
    ]),
  );
