import { type Token, tokenStatuses } from '@headgate/contract';
import { type Translate, useTranslation } from '../i18n/translate.ts';
import { StatusDot } from './status-dot.tsx';

type Lock = Pick<Token, 'is_locked' | 'lock_reason'>;

/** Reason why the user cannot enable the token; undefined if the user can. */
export function lockReason(t: Translate, { is_locked, lock_reason }: Lock): string | undefined {
  if (!is_locked) return undefined;
  return lock_reason === '' ? t('Disabled by an admin') : t('Disabled by an admin: {reason}', { reason: lock_reason });
}

export function TokenStatus({ token }: { readonly token: Lock & Pick<Token, 'status'> }) {
  const { t } = useTranslation();
  const reason = lockReason(t, token);
  return <StatusDot status={token.status} statuses={tokenStatuses} {...(reason && { reason })} />;
}
