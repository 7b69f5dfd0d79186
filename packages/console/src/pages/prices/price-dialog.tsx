import { type ModelPrice, type PriceChange, type PricePart, priceParts, priceUnits } from '@headgate/contract';
import { Button, Group, Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useWords } from '../../i18n/translate.ts';
import { figure, formatTime, price as priceText } from '../../lib/format/format.ts';
import { useManaged } from '../../lib/page/managed.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { ManagedFields, ManagedNotice } from '../../ui/managed/managed.tsx';
import { readAmount } from './price-import.ts';
import { savePrices } from './price-queries.ts';
import { partWords } from './price-words.ts';

interface PriceDialogProps {
  readonly row: ModelPrice;
  /** When it is out of sight. */
  readonly onClosed: () => void;
  readonly onSaved: () => void;
}

type Amounts = Readonly<Record<PricePart, string>>;

/** What one model costs, in dollars; the ratios it becomes stand beside. */
export function PriceDialog({ row, onClosed, onSaved }: PriceDialogProps) {
  const { t, label } = useWords();
  const [isOpen, setOpen] = useState(true);
  const [amounts, setAmounts] = useState<Amounts>(() => amountsOf(row));
  const close = () => setOpen(false);
  const isManaged = useManaged('model')(row.model);
  const save = useMutation({
    mutationFn: (change: PriceChange) => savePrices([change]),
    onSuccess: () => {
      showMessage('success', t('Prices saved'));
      onSaved();
      close();
    },
  });
  const parts = row.unit === 'tokens' ? priceParts : (['input'] as const);
  const read = Object.fromEntries(parts.map((part) => [part, readAmount(amounts[part])])) as Partial<
    Record<PricePart, number | undefined>
  >;
  const { input, ...others } = read;
  const isOdd = parts.some((part) => amounts[part].trim() !== '' && read[part] === undefined) || input === undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (input === undefined || isOdd) return;
    const given = Object.fromEntries(Object.entries(others).filter(([, amount]) => amount !== undefined));
    save.mutate({ model: row.model, price: { input, ...given } });
  };
  return (
    <Modal opened={isOpen} onClose={close} onExitTransitionEnd={onClosed} title={row.model} size="lg">
      <form onSubmit={submit}>
        <Stack gap="sm">
          {isManaged && <ManagedNotice />}
          <Text c="dimmed" size="sm">
            {t('Dollars {unit}', { unit: label(priceUnits[row.unit].label) })}
            {row.built_in && ` · ${t('The maker charges {price}', { price: priceText(row.built_in.input) })}`}
            {row.changed &&
              ` · ${t('Changed by {user}, {time}', { user: row.changed.by, time: formatTime(row.changed.time) })}`}
          </Text>
          <ManagedFields isManaged={isManaged}>
            <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="sm">
              {parts.map((part) => (
                <TextInput
                  key={part}
                  label={label(partWords[part])}
                  inputMode="decimal"
                  leftSection="$"
                  autoComplete="off"
                  value={amounts[part]}
                  placeholder={part === 'input' ? '' : t('In proportion')}
                  error={amounts[part].trim() !== '' && read[part] === undefined && t('Not an amount')}
                  description={
                    part !== 'input' && input && read[part] !== undefined ? `× ${ratio(read[part], input)}` : '\u00a0'
                  }
                  onChange={(event) => {
                    const { value } = event.currentTarget;
                    setAmounts((before) => ({ ...before, [part]: value }));
                  }}
                />
              ))}
            </SimpleGrid>
          </ManagedFields>
          <Group justify="flex-end" gap="sm">
            {row.source === 'yours' && !isManaged && (
              <Button
                variant="subtle"
                color="gray"
                mr="auto"
                loading={save.isPending}
                onClick={() => save.mutate({ model: row.model, price: null })}
              >
                {row.built_in ? t('Back to the built-in price') : t('Remove the price')}
              </Button>
            )}
            <Button variant="default" onClick={close}>
              {isManaged ? t('Back') : t('Cancel')}
            </Button>
            {!isManaged && (
              <Button type="submit" disabled={isOdd} loading={save.isPending}>
                {t('Save')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

const ratio = (part: number, input: number): string => figure(Number((part / input).toPrecision(4)));

function amountsOf({ price, source }: ModelPrice): Amounts {
  const text = (part: PricePart) => (source === 'none' ? '' : String(price[part]));
  return Object.fromEntries(priceParts.map((part) => [part, text(part)])) as Amounts;
}
