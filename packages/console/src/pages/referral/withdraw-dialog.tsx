import { payoutTextLength, type ReferralSummary } from '@headgate/contract';
import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { MoneyInput } from '../../ui/form/money-input.tsx';
import { useReauth } from '../../ui/reauth.tsx';
import { useWithdrawals } from './referral-queries.ts';

interface WithdrawDialogProps {
  readonly summary: ReferralSummary;
  readonly onClosed: () => void;
}

function useAmount({ available }: ReferralSummary, minimum: number) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const [amount, setAmount] = useState<number | ''>(available);
  const isValid = amount !== '' && amount >= minimum && amount <= available;
  const error = t('Enter an amount from {from} to {to}', { from: format(minimum), to: format(available) });
  return { amount: isValid ? amount : undefined, error, field: { value: amount, onChange: setAmount } };
}

/** Transfers available shares to the balance. */
export function TransferDialog({ summary, onClosed }: WithdrawDialogProps) {
  const { t } = useTranslation();
  const { transfer } = useWithdrawals();
  const { amount, error, field } = useAmount(summary, 1);
  const [isChecked, setChecked] = useState(false);
  const submit = () => {
    setChecked(true);
    if (amount !== undefined) transfer.mutate({ quota: amount });
  };
  return (
    <FormDialog
      title={t('Transfer to balance')}
      submitLabel={t('Transfer')}
      isSaving={transfer.isPending}
      isSaved={transfer.isSuccess}
      onSubmit={submit}
      onClosed={onClosed}
    >
      <MoneyInput label={t('Amount')} error={isChecked && amount === undefined && error} {...field} />
    </FormDialog>
  );
}

/** Requests a payout of available shares. */
export function PayoutRequestDialog({ summary, onClosed }: WithdrawDialogProps) {
  const { t } = useTranslation();
  const { payout } = useWithdrawals();
  const proof = useReauth();
  const { amount, error, field } = useAmount(summary, Math.max(1, summary.payout_minimum));
  const [details, setDetails] = useState('');
  const [isChecked, setChecked] = useState(false);
  const submit = () => {
    setChecked(true);
    if (amount !== undefined && details.trim() !== '') proof.run(() => payout.mutate({ quota: amount, details }));
  };
  return (
    <>
      <FormDialog
        title={t('Request payout')}
        submitLabel={t('Request payout')}
        isSaving={payout.isPending || proof.isAsking}
        isSaved={payout.isSuccess}
        onSubmit={submit}
        onClosed={onClosed}
      >
        <MoneyInput label={t('Amount')} error={isChecked && amount === undefined && error} {...field} />
        <Textarea
          label={t('Payment details')}
          description={t('Where to pay, such as a bank account or a PayPal address.')}
          maxLength={payoutTextLength.max}
          autosize
          minRows={2}
          value={details}
          error={isChecked && details.trim() === '' && t('Enter payment details')}
          onChange={(event) => setDetails(event.currentTarget.value)}
        />
      </FormDialog>
      {proof.dialog}
    </>
  );
}
