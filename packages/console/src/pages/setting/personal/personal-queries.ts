import { type Binding, oauthApi, secondFactorApi, userApi } from '@headgate/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { selfQuery } from '../../../lib/account/self-query.ts';
import { call } from '../../../lib/api/call.ts';
import { showMessage } from '../../../lib/page/messages.ts';

export const secondFactorQuery = queryOptions({
  queryKey: ['user', 'second-factor'],
  queryFn: ({ signal }) => call(secondFactorApi.status, {}, { signal }),
  // Our extension; other servers may not have it.
  meta: { quiet: true },
});

/** Shows a confirmation and refetches the account. */
function useChanged() {
  const queries = useQueryClient();
  return (text: string) => {
    showMessage('success', text);
    return queries.invalidateQueries({ queryKey: selfQuery.queryKey });
  };
}

export function useUnbind() {
  const { t } = useTranslation();
  const changed = useChanged();
  return useMutation({
    mutationFn: (binding: Binding) => call(oauthApi.unbind, { params: { binding } }),
    onSuccess: () => changed(t('Operation completed successfully')),
  });
}

export function useBindWechat(onBound: () => void) {
  const { t } = useTranslation();
  const changed = useChanged();
  return useMutation({
    mutationFn: (code: string) => call(oauthApi.bindWechat, { query: { code } }),
    onSuccess: () => {
      onBound();
      return changed(t('WeChat account bound successfully!'));
    },
  });
}

export function useBindEmail(onBound: () => void) {
  const { t } = useTranslation();
  const changed = useChanged();
  return useMutation({
    mutationFn: (query: { email: string; code: string }) => call(oauthApi.bindEmail, { query }),
    onSuccess: () => {
      onBound();
      return changed(t('Email account bound successfully!'));
    },
  });
}

export const createAccessToken = () => call(userApi.makeAccessToken, {});

export const readInviteCode = () => call(userApi.inviteCode, {});

export const removeAccount = () => call(userApi.removeSelf, {});
