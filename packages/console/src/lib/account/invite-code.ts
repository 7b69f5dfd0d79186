const key = 'aff';

/** Stores the invitation code from a link until the visitor registers, possibly on another day. */
export function storeInviteCode(code: unknown): void {
  if (typeof code === 'string' && code !== '') localStorage.setItem(key, code);
}

export const inviteCode = (): string => localStorage.getItem(key) ?? '';
