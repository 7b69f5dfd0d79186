/** Values of OpenTelemetry. */
export const spanKind = { server: 2, client: 3 } as const;
const failed = 2;

/** Undefined values are left out. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly state: string;
  readonly name: string;
  readonly kind: (typeof spanKind)[keyof typeof spanKind];
  /** Timestamps from `performance.now()`. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: SpanAttributes;
  readonly isFailed: boolean;
}

interface Source {
  readonly resource: SpanAttributes;
  readonly version: string;
}

/** Client-supplied names are truncated to this length. */
export const maxAttributeLength = 256;

/** Request body for a collector in OTLP JSON. */
export const otlpRequestBody = (spans: readonly Span[], { resource, version }: Source): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'headgate', version }, spans: spans.map(encoded) }],
      },
    ],
  });

const encoded = (span: Span) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId,
  traceState: span.state === '' ? undefined : span.state,
  name: attributeText(span.name),
  kind: span.kind,
  startTimeUnixNano: nanosOf(span.startMs),
  endTimeUnixNano: nanosOf(Math.max(span.startMs, span.endMs)),
  attributes: attributesOf(span.attributes),
  status: span.isFailed ? { code: failed } : {},
});

const attributesOf = (attributes: SpanAttributes) =>
  Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: anyValue(value) }]));

/** Strict collectors reject a whole batch for half of a surrogate pair, which cutting a text can create. */
const attributeText = (text: string): string => text.slice(0, maxAttributeLength).toWellFormed();

function anyValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: attributeText(value) };
  if (typeof value === 'boolean') return { boolValue: value };
  // OTLP integers have 64 bits, which JSON represents as strings.
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Last millisecond whose nanoseconds fit into 64 bits with a sign, in the year 2262. */
const lastMs = 9_223_372_036_853;

/** A string, because nanoseconds exceed the precision of a number. */
function nanosOf(ms: number): string {
  const time = Math.min(Math.max(performance.timeOrigin + ms, 0), lastMs);
  const whole = Math.floor(time);
  return `${whole}${String(Math.floor((time - whole) * 1e6)).padStart(6, '0')}`;
}
