import { currencies, decimalAmount, type Order, orderNoteLength } from '@headgate/contract';
import { Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatCurrency } from '../../lib/format/currency.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import type { useOrderChanges } from './order-queries.ts';

interface RefundDialogProps {
  readonly order: Order;
  readonly refund: ReturnType<typeof useOrderChanges>['refund'];
  readonly onClosed: () => void;
}

/** A typed amount in the smallest unit of the currency; undefined if invalid. */
function amountIn(text: string, decimals: number): number | undefined {
  const match = /^(\d{1,9})(?:\.(\d+))?$/.exec(text.trim());
  const [, whole = '', fraction = ''] = match ?? [];
  if (!match || fraction.length > decimals) return undefined;
  return Number(whole + fraction.padEnd(decimals, '0'));
}

/** Records a refund made at the provider. */
export function RefundDialog({ order, refund, onClosed }: RefundDialogProps) {
  const { t } = useTranslation();
  const { amount: price, refunded_amount: refunded, currency } = order;
  const [text, setText] = useState(decimalAmount(price, currency));
  const [note, setNote] = useState('');
  const [isChecked, setChecked] = useState(false);
  const amount = amountIn(text, currencies[currency]);
  const isValid = amount !== undefined && amount > refunded && amount <= price;
  const amountError = t('Enter an amount above {from} and at most {to}', {
    from: formatCurrency(refunded, currency),
    to: formatCurrency(price, currency),
  });
  const submit = () => {
    setChecked(true);
    if (isValid && note.trim() !== '') refund.mutate({ amount, note });
  };
  return (
    <FormDialog
      title={t('Record refund')}
      isSaving={refund.isPending}
      isSaved={refund.isSuccess}
      onSubmit={submit}
      onClosed={() => {
        refund.reset();
        onClosed();
      }}
    >
      <Text size="sm">
        {t('Refund the payment at the provider first. The quota of the refund is subtracted from the balance.')}
      </Text>
      <TextInput
        label={t('Refunded in total ({currency})', { currency: currency.toUpperCase() })}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        error={isChecked && !isValid && amountError}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Textarea
        label={t('Note')}
        maxLength={orderNoteLength.max}
        autosize
        minRows={2}
        value={note}
        error={isChecked && note.trim() === '' && t('Enter a note')}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
