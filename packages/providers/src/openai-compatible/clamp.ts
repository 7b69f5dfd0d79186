import type { JsonObject } from '../provider.ts';

/** The fields that lie outside of what a provider takes, moved to the nearest it does. */
export function clamped(body: JsonObject, ranges: Readonly<Record<string, readonly [least: number, most: number]>>) {
  const outside = Object.entries(ranges).flatMap(([name, [least, most]]) => {
    const value = body[name];
    return typeof value === 'number' && (value < least || value > most)
      ? [[name, value < least ? least : most] as const]
      : [];
  });
  return Object.fromEntries(outside) as JsonObject;
}
