import type { ReferralSummary } from '@headgate/contract';
import { Box, Button, Group, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { referralQuery } from '../../lib/account/referral-query.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { copyWithMessage } from '../../ui/copy-with-message.ts';
import { LoadFailed } from '../../ui/load-failed.tsx';
import { inviteLinkQuery } from './referral-queries.ts';
import { OwnPayouts, ReferralShares } from './referral-tables.tsx';
import { PayoutRequestDialog, TransferDialog } from './withdraw-dialog.tsx';

/** Shares of payments made by users whom this user invited. */
export function ReferralPage() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(referralQuery);
  return (
    <Stack gap="lg" maw={800}>
      <Title order={1}>{t('Referrals')}</Title>
      {error && !data && <LoadFailed title={t('The referrals could not be loaded')} error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height={240} />}
      {data && (
        <>
          <Terms summary={data} />
          <Sums summary={data} />
          <ReferralShares />
          <OwnPayouts />
        </>
      )}
    </Stack>
  );
}

function Terms({ summary }: { readonly summary: ReferralSummary }) {
  const { t } = useTranslation();
  const sentences = useTerms(summary);
  const { data: link } = useQuery(inviteLinkQuery);
  return (
    <Paper withBorder p="lg">
      {sentences.map((sentence) => (
        <Text key={sentence}>{sentence}</Text>
      ))}
      {summary.enabled && link && (
        <Group mt="md" gap="sm">
          <Box flex="1 1 12rem">
            <Text size="sm" c="dimmed">
              {t('Invite link')}
            </Text>
            <Text style={{ overflowWrap: 'anywhere' }}>{link}</Text>
          </Box>
          <Button variant="default" onClick={() => void copyWithMessage(link, undefined, t('Invite link copied'))}>
            {t('Copy invite link')}
          </Button>
        </Group>
      )}
    </Paper>
  );
}

function useTerms({ enabled, percent, fixed, first_order_only, cap, wait_days }: ReferralSummary): readonly string[] {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  if (!enabled) return [t('New orders earn no referral shares.')];
  return [
    percent > 0 && t('You receive {percent}% of the quota bought by users you invited.', { percent }),
    fixed > 0 && t('You receive {amount} for each order of users you invited.', { amount: format(fixed) }),
    first_order_only && t('Only the first order of each user counts.'),
    cap > 0 && t('At most {amount} per user.', { amount: format(cap) }),
    wait_days > 0 && t('Shares become available after {days} days without a refund.', { days: wait_days }),
  ].filter((sentence) => sentence !== false);
}

function Sums({ summary }: { readonly summary: ReferralSummary }) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const [open, setOpen] = useState<'transfer' | 'payout'>();
  const { available, payout_minimum: minimum } = summary;
  const id = useId();
  const sums = [
    [t('Available'), format(available)],
    [t('Waiting'), format(summary.waiting)],
    [t('Transferred'), format(summary.transferred)],
    [t('Requested'), format(summary.requested)],
    [t('Paid out'), format(summary.paid_out)],
    [t('Invited users'), formatNumber(summary.invited_users)],
  ] as const;
  const close = () => setOpen(undefined);
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby={id}>
      <Title order={2} size="h3" mb="sm" id={id}>
        {t('Earnings')}
      </Title>
      <SimpleGrid cols={{ base: 2, sm: 3 }} mb="md">
        {sums.map(([name, value]) => (
          <div key={name}>
            <Text size="sm" c="dimmed">
              {name}
            </Text>
            <Text fw={600}>{value}</Text>
          </div>
        ))}
      </SimpleGrid>
      <Group gap="xs">
        <Button disabled={available < 1} onClick={() => setOpen('transfer')}>
          {t('Transfer to balance')}
        </Button>
        {minimum > 0 && (
          <Button variant="default" disabled={available < minimum} onClick={() => setOpen('payout')}>
            {t('Request payout')}
          </Button>
        )}
      </Group>
      {open === 'transfer' && <TransferDialog summary={summary} onClosed={close} />}
      {open === 'payout' && <PayoutRequestDialog summary={summary} onClosed={close} />}
    </Paper>
  );
}
