import type { JsonObject } from '@headgate/dialects';

type Container = Readonly<Record<string, unknown>> | readonly unknown[];

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/** True if the container has the member; an array has only its indexes. */
const has = (container: Container, name: string): boolean =>
  Object.hasOwn(container, name) && (!Array.isArray(container) || /^\d+$/.test(name));

/** The value at a path; undefined: there is none. */
export function valueAt(body: unknown, path: readonly string[]): unknown {
  let value = body;
  for (const name of path) {
    if (!isContainer(value) || !has(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/**
 * Returns the body with the value at the path; missing objects are created. Only containers on the path are copied.
 * Undefined if the path leads through a string, a number or a missing array element.
 */
export function withValueAt(body: JsonObject, path: readonly string[], value: unknown): JsonObject | undefined {
  return changed(body, path, 0, value) as JsonObject | undefined;
}

function changed(container: Container, path: readonly string[], at: number, value: unknown): Container | undefined {
  const name = path[at] ?? '';
  const isThere = has(container, name);
  if (Array.isArray(container) && !isThere) return undefined;
  if (at === path.length - 1) return withMember(container, name, value);
  const inner = isThere ? ((container as Readonly<Record<string, unknown>>)[name] ?? {}) : {};
  const next = isContainer(inner) ? changed(inner, path, at + 1, value) : undefined;
  return next && withMember(container, name, next);
}

function withMember(container: Container, name: string, value: unknown): Container {
  if (Array.isArray(container)) return container.with(Number(name), value);
  return { ...container, [name]: value };
}

/** Returns the body without the value at the path; the body itself if there is none. */
export function withoutValueAt(body: JsonObject, path: readonly string[]): JsonObject {
  if (valueAt(body, path) === undefined) return body;
  return removed(body, path, 0) as JsonObject;
}

function removed(container: Container, path: readonly string[], at: number): Container {
  const name = path[at] ?? '';
  if (at < path.length - 1) {
    const inner = (container as Readonly<Record<string, unknown>>)[name] as Container;
    return withMember(container, name, removed(inner, path, at + 1));
  }
  if (Array.isArray(container)) return container.toSpliced(Number(name), 1);
  const { [name]: _, ...rest } = container as Readonly<Record<string, unknown>>;
  return rest;
}
