import { isRoot, oauthApi } from '@headgate/contract';
import { Paper, Switch, Text, Title } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { useUser } from '../../../lib/account/session.ts';
import { call } from '../../../lib/api/call.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { useStatus } from '../../../lib/page/status.ts';
import { useReauth } from '../../../ui/reauth.tsx';

const rootSignInQuery = queryOptions({
  queryKey: ['user', 'sign-in-elsewhere'],
  queryFn: ({ signal }) => call(oauthApi.elsewhere, {}, { signal }),
  // Our extension; other servers may not have it.
  meta: { quiet: true },
});

/** Super admin only: allows admin-configured mail servers and providers to open this account. */
export function PersonalRootSignIn() {
  const { t } = useTranslation();
  const user = useUser();
  const isOwner = user !== undefined && isRoot(user);
  const { extensions } = useStatus();
  const { data } = useQuery({ ...rootSignInQuery, enabled: isOwner && extensions });
  const allow = useAllow();
  const proof = useReauth();
  if (!isOwner || !data) return null;
  return (
    <Paper withBorder p="lg" component="section">
      <Title order={2} mb={4}>
        {t('Super admin login')}
      </Title>
      <Text c="dimmed" mb="md">
        {t(
          'Admins configure the mail server and login providers. Unless you allow it here, neither can be used to log in to this account; use your password or a passkey.',
        )}
      </Text>
      <Switch
        label={t('Allow email and login providers for this account')}
        checked={data.isAllowed}
        disabled={allow.isPending || proof.isAsking}
        onChange={({ currentTarget: { checked } }) => proof.run(() => allow.mutate(checked))}
      />
      {proof.dialog}
    </Paper>
  );
}

function useAllow() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (isAllowed: boolean) => call(oauthApi.allowElsewhere, { body: { isAllowed } }),
    onSuccess: () => {
      showMessage('success', t('Operation completed successfully'));
      return queries.invalidateQueries({ queryKey: rootSignInQuery.queryKey });
    },
  });
}
