import { parseJsonObject } from './json-fields.ts';

/** Claude Code's older ids, which contain the id of the session: `user_1a2b_account_3c4d_session_5e6f`. */
const claudeCodeId = /^(user_[0-9a-f]{1,100})_account_[0-9a-f-]*_session_/;

/**
 * Id of an end user without the session that Claude Code adds to it, so all of a user's sessions count as one end
 * user.
 */
export function endUserWithoutSession(id: string): string {
  if (!id.startsWith('{')) return claudeCodeId.exec(id)?.[1] ?? id;
  const device = parseJsonObject(id)?.['device_id'];
  return typeof device === 'string' ? `user_${device}` : id;
}
