import { createHash } from 'node:crypto';
import { tokenKeyPrefix } from '@headgate/contract';
import { numericId } from './litellm-values.ts';

export const toUserId = (id: string): number => numericId('user', id);

/** Project of a team. */
export const toProjectId = (teamId: string): number => numericId('project', teamId);

/** Service account for a team's keys without a user; if the id is empty, the account for all other such keys. */
export const toServiceAccountId = (teamId: string): number => numericId('service account', teamId);

/** SHA-256 of a key. LiteLLM's oldest versions stored the plain key, which must not appear in ids or reports. */
export function parseKeyHash(text: string): string {
  const given = text.trim();
  return given.startsWith(tokenKeyPrefix) ? createHash('sha256').update(given).digest('hex') : given;
}

export const tokenIdFromHash = (hash: string): number => numericId('token', parseKeyHash(hash));
