import { type Payout, payoutTextLength } from '@headgate/contract';
import { Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { useClosePayout } from './payout-queries.ts';

interface PayoutDialogProps {
  readonly payout: Payout;
  readonly state: 'paid' | 'rejected';
  readonly onClosed: () => void;
}

/** Marks a payout as paid, or rejects it. */
export function PayoutDialog({ payout, state, onClosed }: PayoutDialogProps) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const close = useClosePayout(payout.id);
  const [note, setNote] = useState('');
  const values = { amount: format(payout.quota), user: payout.username };
  return (
    <FormDialog
      title={state === 'paid' ? t('Mark payout as paid') : t('Reject payout')}
      submitLabel={state === 'paid' ? t('Mark as paid') : t('Reject')}
      isSaving={close.isPending}
      isSaved={close.isSuccess}
      onSubmit={() => close.mutate({ state, note })}
      onClosed={onClosed}
    >
      <Text size="sm">
        {state === 'paid'
          ? t('Pay {amount} to {user} first. This cannot be undone.', values)
          : t('{user} can withdraw {amount} again.', values)}
      </Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {payout.details}
      </Text>
      <Textarea
        label={t('Note')}
        description={t('Shown to the user.')}
        maxLength={payoutTextLength.max}
        autosize
        minRows={2}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
