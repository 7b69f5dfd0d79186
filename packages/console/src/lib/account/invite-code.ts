const key = 'aff';

/** Keeps the inviter's code of a link until the visitor registers, perhaps on another day. */
export function rememberInviteCode(code: unknown): void {
  if (typeof code === 'string' && code !== '') localStorage.setItem(key, code);
}

export const inviteCode = (): string => localStorage.getItem(key) ?? '';
