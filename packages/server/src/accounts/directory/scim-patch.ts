import { invalidScimRequest } from './scim-error.ts';
import { parsePath, type ScimPath } from './scim-path.ts';
import { listOf, requireFields } from './scim-values.ts';

const maxOperations = 1000;

/**
 * Patch operations of a kind of resource; each function returns the changed resource. Unknown attributes are ignored.
 */
export interface Changes<Resource> {
  set(resource: Resource, path: ScimPath, value: unknown): Resource;
  add(resource: Resource, path: ScimPath, value: unknown): Resource;
  remove(resource: Resource, path: ScimPath, value: unknown): Resource;
}

/** Applies a PATCH request. Entra capitalizes `op`; Entra and Okta also send values without a path. */
export function applyPatch<Resource>(resource: Resource, body: unknown, changes: Changes<Resource>): Resource {
  const operations = listOf(requireFields(body, 'The body')['Operations'], 'Operations', maxOperations);
  if (operations.length === 0) throw invalidScimRequest('invalidSyntax', 'Operations is required.');
  return operations.reduce<Resource>(
    (changed, operation) => applyOperation(changed, requireFields(operation, 'An operation'), changes),
    resource,
  );
}

function applyOperation<Resource>(
  resource: Resource,
  { op, path, value }: Readonly<Record<string, unknown>>,
  changes: Changes<Resource>,
): Resource {
  const kind = operationOf(op);
  if (path === undefined || path === null || path === '') {
    if (kind === 'remove') throw invalidScimRequest('noTarget', 'A remove operation needs a path.');
    return setFields(resource, requireFields(value, 'value'), changes[kind]);
  }
  if (typeof path !== 'string') throw invalidScimRequest('invalidPath', 'path must be a string.');
  const parsed = parsePath(path);
  return parsed ? changes[kind](resource, parsed, value) : resource;
}

function operationOf(op: unknown): 'add' | 'set' | 'remove' {
  switch (String(op).toLowerCase()) {
    case 'add':
      return 'add';
    case 'replace':
      return 'set';
    case 'remove':
      return 'remove';
    default:
      throw invalidScimRequest('invalidSyntax', 'op must be add, replace or remove.');
  }
}

/** Sets every field of an object. Keys may be paths, as in `{"name.givenName": "Ada"}`. */
export function setFields<Resource>(
  resource: Resource,
  fields: Readonly<Record<string, unknown>>,
  set: Changes<Resource>['set'],
): Resource {
  return Object.entries(fields).reduce((changed, [key, value]) => {
    const path = parsePath(key);
    return path ? set(changed, path, value) : changed;
  }, resource);
}
