import { randomUUID } from 'node:crypto';
import { SpanExporter } from '../observability/traces/span-exporter.ts';
import { Tracer } from '../observability/traces/tracer.ts';
import { BatchPoster } from '../platform/outgoing/post-batch.ts';
import { refusalReasonOf } from '../relay/callers/refusal-reason.ts';
import { failureReasonOf } from '../relay/upstreams/failure-reason.ts';
import type { AppContext } from './app-dependencies.ts';

interface TraceServices {
  readonly tracer: Tracer;
  readonly exporter: SpanExporter;
}

/** How long the shutdown waits for the last spans to be sent. */
const spanGraceMs = 3000;

/** Undefined where the environment names no collector. */
export function makeTraceServices({ config, identity, logger, lifecycle }: AppContext): TraceServices | undefined {
  const settings = config.traces;
  if (!settings) return undefined;
  const exporter = new SpanExporter({
    settings,
    version: identity.version,
    resource: { 'service.version': identity.version, 'service.instance.id': randomUUID(), ...settings.resource },
    poster: new BatchPoster(),
    onFailure: (words) => logger.warn({ words }, 'spans were not sent'),
  });
  lifecycle.add({ name: 'span exporter', stop: () => exporter.close(spanGraceMs) });
  const tracer = new Tracer(settings, {
    reasonOf: (error, status) => (status === 0 ? refusalReasonOf(error) : failureReasonOf({ status, error })),
    onSpan: (span) => exporter.add(span),
  });
  return { exporter, tracer };
}
