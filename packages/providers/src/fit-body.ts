import type { JsonObject } from '@headgate/dialects';
import { instructedBody } from './json-instruction.ts';
import { type Adjustment, hasNoEffect, rejectedParameters } from './model-parameters.ts';
import type { PassThrough, Ranges, Upstream } from './provider.ts';

type Fitting = Pick<PassThrough, 'drops' | 'ranges' | 'lacks'>;

/** Removes fields that the upstream or its model rejects from a request that is passed through. */
export function fitBody(body: JsonObject, wire: Fitting, upstream: Upstream): Adjustment {
  const left = wire.drops?.(body, upstream) ?? [];
  const kept: JsonObject = left.length === 0 ? body : { ...body, ...without(left) };
  const moved = wire.ranges ? clampedFields(wire.ranges, kept) : {};
  const rejected = rejectedParameters(upstream.model, kept);
  const instructed = wire.lacks && instructedBody(kept, wire.lacks, upstream.model);
  if (left.length === 0 && !wire.ranges && !instructed) return rejected;
  const clamped = Object.keys(moved).filter((name) => !hasNoEffect(name, body[name]));
  return {
    changes: { ...without(left), ...moved, ...rejected.changes, ...instructed?.changes },
    ignored: [...new Set([...left, ...clamped, ...rejected.ignored, ...(instructed?.ignored ?? [])])],
  };
}

const without = (names: readonly string[]): JsonObject => Object.fromEntries(names.map((name) => [name, undefined]));

/** Numbers outside of the provider's ranges, clamped to them. */
export function clampedFields(ranges: Ranges, body: JsonObject): Readonly<Record<string, number>> {
  const moved: Record<string, number> = {};
  for (const [name, [least, most]] of Object.entries(ranges)) {
    const value = body[name];
    if (typeof value !== 'number') continue;
    if (value < least) moved[name] = least;
    else if (value > most) moved[name] = most;
  }
  return moved;
}
