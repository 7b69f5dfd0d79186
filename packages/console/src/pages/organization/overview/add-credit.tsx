import { type Organization, organizationApi } from '@headgate/contract';
import { Button, Paper, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { selfQuery } from '../../../lib/account/self-query.ts';
import { call } from '../../../lib/api/call.ts';
import { useQuotaFormat } from '../../../lib/format/quota.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { openConfirmation } from '../../../ui/confirm.tsx';
import { MoneyInput } from '../../../ui/form/money-input.tsx';
import { useQuotaValidation } from '../../../ui/form/validate-quota.ts';
import { hasPermission, refreshOrganizations } from '../organization-queries.ts';

interface AddCreditProps {
  readonly organization: Organization;
}

/** Redeems a code for an organization, or moves quota from the balance of the signed-in user. */
export function AddCredit({ organization }: AddCreditProps) {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="lg" component="section" aria-label={t('Add credit')}>
      <Title order={2} size="h3" mb="md">
        {t('Add credit')}
      </Title>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <TransferForm organization={organization} />
        {hasPermission(organization, 'add_credit') && <RedeemForm organization={organization} />}
      </SimpleGrid>
    </Paper>
  );
}

function useRefresh() {
  const queries = useQueryClient();
  return () => {
    void refreshOrganizations(queries);
    void queries.invalidateQueries({ queryKey: selfQuery.queryKey });
  };
}

function RedeemForm({ organization: { id } }: AddCreditProps) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const refresh = useRefresh();
  const form = useForm({
    initialValues: { key: '' },
    validate: { key: (key) => (key.trim() === '' ? t('Please enter top-up code') : null) },
  });
  const redeem = useMutation({
    mutationFn: (key: string) => call(organizationApi.redeem, { params: { id }, body: { key } }),
    onSuccess: (added) => {
      showMessage('success', t('{amount} added', { amount: format(added) }));
      form.reset();
    },
    onSettled: refresh,
  });
  return (
    <form onSubmit={form.onSubmit(({ key }) => redeem.mutate(key.trim()))} noValidate>
      <Stack gap="sm" align="stretch">
        <TextInput
          label={t('Redemption code')}
          description={t('Adds the quota of the code to the organization.')}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('key')}
        />
        <Button type="submit" variant="default" loading={redeem.isPending} style={{ alignSelf: 'flex-start' }}>
          {t('Redeem')}
        </Button>
      </Stack>
    </form>
  );
}

function TransferForm({ organization: { id, name } }: AddCreditProps) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const refresh = useRefresh();
  const validate = useQuotaValidation({ isPositive: true });
  const { data: self } = useQuery(selfQuery);
  const form = useForm<{ amount: number | '' }>({ initialValues: { amount: '' }, validate: { amount: validate } });
  const transfer = useMutation({
    mutationFn: (quota: number) => call(organizationApi.transfer, { params: { id }, body: { quota } }),
    onSuccess: (_, quota) => {
      showMessage('success', t('{amount} added', { amount: format(quota) }));
      form.reset();
    },
    onSettled: refresh,
  });
  const ask = (quota: number) =>
    openConfirmation({
      title: t('Transfer {amount} to {name}?', { amount: format(quota), name }),
      text: t('The amount is deducted from your balance. You cannot take it back.'),
      confirm: t('Transfer'),
      onConfirm: () => transfer.mutate(quota),
    });
  return (
    <form onSubmit={form.onSubmit(({ amount }) => ask(Number(amount)))} noValidate>
      <Stack gap="sm">
        <MoneyInput
          label={t('Transfer from your balance')}
          {...form.getInputProps('amount')}
          value={form.values.amount}
        />
        {self && (
          <Text size="sm" c="dimmed">
            {t('Your balance: {amount}', { amount: format(self.quota) })}
          </Text>
        )}
        <Button type="submit" variant="default" loading={transfer.isPending} style={{ alignSelf: 'flex-start' }}>
          {t('Transfer')}
        </Button>
      </Stack>
    </form>
  );
}
