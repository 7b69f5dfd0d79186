import { Button, Group, Paper, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { hasReferrals, referralQuery } from '../../lib/account/referral-query.ts';
import { selfQuery } from '../../lib/account/self-query.ts';
import { useUser } from '../../lib/account/session.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { useStatus } from '../../lib/page/status.ts';
import { BuyQuota } from './buy-quota.tsx';
import { CheckIn } from './check-in.tsx';
import { CheckoutReturn } from './checkout-return.tsx';
import { OrderHistory } from './order-history.tsx';
import { ownPlansQuery } from './plan-queries.ts';
import { BuyPlans, OwnPlans } from './plans.tsx';
import { newTransactionId, topUpUrl } from './topup-link.ts';
import styles from './topup-page.module.css';
import { redeemCode } from './topup-queries.ts';

export function TopUpPage() {
  const { t } = useTranslation();
  const redeem = useRedeem();
  const { extensions } = useStatus();
  const { order } = useSearch({ strict: false }) as { readonly order?: unknown };
  return (
    <Stack gap="lg" maw={640}>
      <Group justify="space-between">
        <Title order={1}>{t('Top-up')}</Title>
        {extensions && <ReferralsLink />}
      </Group>
      {extensions && typeof order === 'string' && <CheckoutReturn number={order} />}
      <Balance added={redeem.data || undefined} />
      {extensions && <OwnPlans />}
      {extensions && <CheckIn />}
      {extensions && <BuyPlans />}
      {extensions && <BuyQuota />}
      <Paper withBorder p="lg">
        <RedeemForm redeem={redeem} />
      </Paper>
      {extensions && <OrderHistory />}
    </Stack>
  );
}

/** Hidden while referrals are off and the user has no shares. */
function ReferralsLink() {
  const { t } = useTranslation();
  const { data } = useQuery(referralQuery);
  if (!data || !hasReferrals(data)) return null;
  return (
    <Button component={Link} to="/topup/referral" variant="default" size="xs">
      {t('Referrals')}
    </Button>
  );
}

function Balance({ added }: { readonly added: number | undefined }) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const { data: self, isPending } = useQuery(selfQuery);
  const id = useId();
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby={id}>
      <Text c="dimmed" id={id}>
        {t('Remaining quota')}
      </Text>
      {isPending ? (
        <Skeleton height={40} width={160} my={2} />
      ) : (
        <Text className={styles['figure'] ?? ''}>{self ? format(self.quota) : '—'}</Text>
      )}
      <Text size="sm" c="dimmed" role="status">
        {added === undefined
          ? self && t('{points} points', { points: formatNumber(self.quota) })
          : t('{amount} added', { amount: format(added) })}
      </Text>
    </Paper>
  );
}

function RedeemForm({ redeem }: { readonly redeem: ReturnType<typeof useRedeem> }) {
  const { t } = useTranslation();
  const [key, setKey] = useState('');
  const [isMissing, setMissing] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(key === '');
    if (key === '') showMessage('warning', t('Please enter top-up code'));
    else redeem.mutate(key, { onSuccess: () => setKey('') });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label={t('Redemption code')}
          description={t('Paste a redemption code to add its quota to your account.')}
          autoComplete="off"
          spellCheck={false}
          value={key}
          error={isMissing && t('Please enter top-up code')}
          classNames={{ input: styles['code'] ?? '' }}
          onChange={(event) => {
            setKey(event.currentTarget.value.trim());
            setMissing(false);
          }}
        />
        <Group justify="space-between">
          <ShopButton />
          <Button type="submit" loading={redeem.isPending}>
            {redeem.isPending ? t('Redeeming…') : t('Redeem')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Opens the shop for codes. */
function ShopButton() {
  const { t } = useTranslation();
  const { top_up_link } = useStatus();
  const user = useUser();
  const open = () => {
    if (!user) return;
    if (top_up_link === '') {
      showMessage('error', t('The super admin has not set a top-up link'));
      return;
    }
    const address = topUpUrl(top_up_link, user, newTransactionId());
    if (address) window.open(address, '_blank', 'noopener');
    else showMessage('error', t('The top-up link is not a valid URL. Contact an admin.'));
  };
  return (
    <Button variant="default" rightSection={<IconExternalLink size={16} aria-hidden />} onClick={open}>
      {t('Get a code')}
    </Button>
  );
}

function useRedeem() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: redeemCode,
    onSuccess: (added) => {
      showMessage('success', added === 0 ? t('Plan activated') : t('Top-up successful'));
      if (added === 0) void queries.invalidateQueries({ queryKey: ownPlansQuery.queryKey });
      queries.setQueryData(selfQuery.queryKey, (self) => self && { ...self, quota: self.quota + added });
    },
    meta: { headlineUnlessRejected: 'Request failed' },
  });
}
