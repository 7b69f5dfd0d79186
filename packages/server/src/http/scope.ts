import { type Endpoint, keyTellingRows, scopesOf } from '@headgate/contract';
import type { UserRow } from '../platform/db/rows.ts';
import { Refusal } from '../platform/errors/refusal.ts';
import type { Page } from './handlers.ts';
import type { Identified } from './request-identity.ts';

/**
 * The user for whom a row is called. An access token that is not for everything opens only what its scope covers; where
 * visitors are served it is nobody, so that none of these calls does anything in the user's name.
 */
export function callerWithin(endpoint: Endpoint, identified: Identified | undefined): UserRow | undefined {
  if (!identified || identified.scope === 'all') return identified?.user;
  if (endpoint.access === 'visitor') return undefined;
  if (!scopesOf(endpoint).includes(identified.scope)) throw new Refusal('outOfScope');
  return identified.user;
}

/** What a narrow access token reads of tokens and codes: all but what one could spend with. */
export function withoutKeys(endpoint: Endpoint, identified: Identified | undefined, result: unknown): unknown {
  if (!identified || identified.scope === 'all' || !keyTellingRows.has(endpoint)) return result;
  const { rows } = result as Page<readonly object[]>;
  return rows ? { ...(result as object), rows: rows.map(withoutKey) } : withoutKey(result as object);
}

const withoutKey = (row: object) => ({ ...row, key: '' });
