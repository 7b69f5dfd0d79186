import type { TraceContext } from './trace-context.ts';

type Decide = (traceId: string, ratio: number) => boolean;

const always: Decide = () => true;
const never: Decide = () => false;
/** Uses the last 56 bits of the trace id, so that all services with the same ratio keep the same traces. */
const byRatio: Decide = (traceId, ratio) => Number.parseInt(traceId.slice(-14), 16) < ratio * 2 ** 56;

/** Whether the caller's decision is followed; without a caller's context the sampler decides. */
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
