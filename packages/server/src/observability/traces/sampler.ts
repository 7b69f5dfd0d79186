import type { IncomingHttpHeaders } from 'node:http';

type Decide = (traceId: string, ratio: number) => boolean;

const always: Decide = () => true;
const never: Decide = () => false;
/** Uses the last 56 bits of the trace id, so that all services with the same ratio keep the same traces. */
const byRatio: Decide = (traceId, ratio) => Number.parseInt(traceId.slice(-14), 16) < ratio * 2 ** 56;

/** True if the caller's decision is followed; without a caller's context the sampler decides. */
export const samplers = {
  always_on: { followsParent: false, decide: always },
  always_off: { followsParent: false, decide: never },
  traceidratio: { followsParent: false, decide: byRatio },
  parentbased_always_on: { followsParent: true, decide: always },
  parentbased_always_off: { followsParent: true, decide: never },
  parentbased_traceidratio: { followsParent: true, decide: byRatio },
} as const satisfies Record<string, { readonly followsParent: boolean; readonly decide: Decide }>;

export type SamplerName = keyof typeof samplers;

export function isSampled(
  { sampler, ratio }: { readonly sampler: SamplerName; readonly ratio: number },
  traceId: string,
  parent: TraceContext | undefined,
): boolean {
  const { followsParent, decide } = samplers[sampler];
  return parent && followsParent ? parent.isSampled : decide(traceId, ratio);
}

/** Trace context of the caller (W3C Trace Context). */
interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  /** Vendor-specific state; empty if there is none or it cannot be passed on. */
  readonly state: string;
}

/** Later versions may append fields after another hyphen. */
const parentForm = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-[\x21-\x7e]{0,200})?$/;
const nothing = /^0+$/;
const sampledBit = 1;

/** Undefined for an invalid header; a new trace then starts. */
export function readTraceContext({ traceparent, tracestate }: IncomingHttpHeaders): TraceContext | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, traceId, spanId, flags = '', more] = parentForm.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || version === 'ff') return undefined;
  if (version === '00' && more !== undefined) return undefined;
  if (nothing.test(traceId) || nothing.test(spanId)) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & sampledBit) === sampledBit;
  return { traceId, spanId, isSampled, state: stateOf(tracestate) };
}

const maxStateLength = 512;
const maxMembers = 32;
const member = /^[a-z\d][a-z\d_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** Returned unchanged, or empty if it is invalid. */
function stateOf(header: string | string[] | undefined): string {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  if (text.length > maxStateLength) return '';
  const members = text.split(',').map((each) => each.trim());
  const named = members.filter((each) => each !== '');
  const isGood = named.length <= maxMembers && named.every((each) => member.test(each));
  return isGood ? named.join(',') : '';
}

export const formatTraceParent = (traceId: string, spanId: string, sampled: boolean): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
