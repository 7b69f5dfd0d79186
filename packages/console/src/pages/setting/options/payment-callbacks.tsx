import {
  callbackVerdicts,
  isRoot,
  orderApi,
  orderProviders,
  type PaymentProviderName,
  paymentProviderNames,
  paymentProviders,
} from '@headgate/contract';
import { Anchor, Button, Divider, Group, Stack, Text } from '@mantine/core';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../../i18n/translate.ts';
import { useUser } from '../../../lib/account/session.ts';
import { call, callList } from '../../../lib/api/call.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { Dot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';

/** Newest callback of any provider. */
const lastCallbackQuery = queryOptions({
  queryKey: ['order', 'callbacks'],
  queryFn: async ({ signal }) => {
    const { rows } = await callList(orderApi.callbacks, { query: { p: 0, size: 1 } }, { signal });
    return rows[0] ?? null;
  },
  staleTime: 0,
});

/** Last callback of each payment provider, and a test of the callback URLs. */
export function PaymentCallbacks() {
  const { t } = useTranslation();
  const user = useUser();
  return (
    <>
      <Divider my="lg" />
      <Stack gap="sm">
        <LastCallback />
        {isRoot(user) && (
          <Group gap="xs">
            {paymentProviderNames.map((provider) => (
              <SelfTestButton key={provider} provider={provider} />
            ))}
          </Group>
        )}
        <Anchor component={Link} to="/order" size="sm">
          {t('Orders')}
        </Anchor>
      </Stack>
    </>
  );
}

function LastCallback() {
  const { t, label } = useTranslation();
  const { data } = useQuery(lastCallbackQuery);
  if (data === undefined) return null;
  if (data === null) return <Text size="sm">{t('No payment callbacks yet')}</Text>;
  const row = callbackVerdicts[data.verdict];
  return (
    <Group gap="xs">
      <Text size="sm">{t('Last callback')}:</Text>
      <Time seconds={data.created_time} />
      <Text size="sm">{label(orderProviders[data.provider].label)}</Text>
      <Dot color={row.color} text={label(row.label)} reason={data.detail} />
    </Group>
  );
}

function SelfTestButton({ provider }: { readonly provider: PaymentProviderName }) {
  const { t } = useTranslation();
  const name = paymentProviders[provider].label;
  const test = useMutation({
    mutationFn: () => call(orderApi.selfTest, { body: { provider } }),
    onSuccess: ({ ok, url, reason }) => {
      if (ok) showMessage('success', t('This gateway responds at {url}', { url }));
      else showMessage('error', t('No response from this gateway at {url}: {reason}', { url, reason }));
    },
  });
  return (
    <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
      {t('Test {name} callback URL', { name })}
    </Button>
  );
}
