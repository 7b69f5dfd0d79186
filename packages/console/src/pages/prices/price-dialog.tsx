import {
  isServiceTier,
  type ModelPrice,
  type PriceChange,
  type PricePart,
  type PriceWindow,
  partsOfUnit,
  priceBases,
  priceParts,
  priceUnits,
} from '@headgate/contract';
import { Button, Group, Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Translation, useTranslation } from '../../i18n/translate.ts';
import { formatNumber, formatTime, formatPrice as priceText } from '../../lib/format/format.ts';
import { useManaged } from '../../lib/page/managed.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { ManagedFields, ManagedNotice } from '../../ui/managed/managed.tsx';
import { PriceHoursFields } from './price-hours-fields.tsx';
import { priceHoursOption, priceHoursQuery, savePriceHours } from './price-hours-query.ts';
import { parseAmount } from './price-import.ts';
import { pricePartLabels } from './price-labels.ts';
import { savePrices } from './price-queries.ts';

interface PriceDialogProps {
  readonly row: ModelPrice;
  /** Called after the closing animation. */
  readonly onClosed: () => void;
  readonly onSaved: () => void;
}

/** Parts in the second section. */
const mediaParts: ReadonlySet<PricePart> = new Set([
  'audio',
  'cached_audio',
  'audio_output',
  'image',
  'cached_image',
  'image_output',
]);

type Amounts = Readonly<Record<PricePart, string>>;

/** Price of a model in dollars, with the resulting ratios next to it. */
export function PriceDialog({ row, onClosed, onSaved }: PriceDialogProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(true);
  const [amounts, setAmounts] = useState<Amounts>(() => amountsOf(row));
  const close = () => setOpen(false);
  const isManaged = useManaged('model')(row.model);
  const { data: storedHours } = useQuery(priceHoursQuery);
  const [typedHours, setHours] = useState<readonly PriceWindow[]>();
  const areHoursManaged = useManaged('option')(priceHoursOption);
  const save = useSave(onSaved, close);
  const { parts, read, isOdd } = parseAmounts(row, amounts);
  const { input, ...others } = read;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (input === undefined || isOdd) return;
    const given = Object.fromEntries(Object.entries(others).filter(([, amount]) => amount !== undefined));
    save.mutate({ change: { model: row.model, price: { input, ...given } }, hours: typedHours });
  };
  const fields = {
    amounts,
    read,
    onChange: (part: PricePart, text: string) => setAmounts((before) => ({ ...before, [part]: text })),
  };
  return (
    <Modal opened={isOpen} onClose={close} onExitTransitionEnd={onClosed} title={row.model} size="lg">
      <form onSubmit={submit}>
        <Stack gap="sm">
          {isManaged && <ManagedNotice />}
          <PriceFacts row={row} />
          <ManagedFields isManaged={isManaged}>
            <AmountFields {...fields} parts={parts.filter((part) => !mediaParts.has(part) && !isServiceTier(part))} />
            {row.unit === 'tokens' && (
              <>
                <Text fw={500} size="sm" mt="xs" mb={4}>
                  {t('Audio and images')}
                </Text>
                <AmountFields {...fields} parts={parts.filter((part) => mediaParts.has(part))} />
                <Text fw={500} size="sm" mt="xs" mb={4}>
                  {t('Service tiers')}
                </Text>
                <AmountFields {...fields} parts={parts.filter(isServiceTier)} />
              </>
            )}
          </ManagedFields>
          <ManagedFields isManaged={areHoursManaged}>
            <Text fw={500} size="sm">
              {t('Peak and off-peak hours')}
            </Text>
            <PriceHoursFields hours={typedHours ?? storedHours?.get(row.model) ?? []} onChange={setHours} />
          </ManagedFields>
          <Group justify="flex-end" gap="sm">
            {row.source === 'yours' && !isManaged && (
              <RemoveButton
                row={row}
                isSaving={save.isPending}
                onClick={() => save.mutate({ change: { model: row.model, price: null } })}
              />
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

function PriceFacts({ row: { unit, built_in, changed } }: Pick<PriceDialogProps, 'row'>) {
  const { t, label } = useTranslation();
  return (
    <Text c="dimmed" size="sm">
      {t('USD {unit}', { unit: label(priceUnits[unit].label) })}
      {built_in && ` · ${t('List price {price}', { price: priceText(built_in.input) })}`}
      {changed && ` · ${t('Changed by {user}, {time}', { user: changed.by, time: formatTime(changed.time) })}`}
    </Text>
  );
}

interface PriceEdit {
  readonly change: PriceChange;
  /** Undefined: unchanged. */
  readonly hours?: readonly PriceWindow[] | undefined;
}

function useSave(onSaved: () => void, close: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ change, hours }: PriceEdit) => {
      if (hours) await savePriceHours(change.model, hours);
      await savePrices([change]);
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['option'] });
      showMessage('success', t('Prices saved'));
      onSaved();
      close();
    },
  });
}

function parseAmounts({ unit }: ModelPrice, amounts: Amounts) {
  const parts = partsOfUnit(unit);
  const read: Partial<Record<PricePart, number | undefined>> = Object.fromEntries(
    parts.map((part) => [part, parseAmount(amounts[part])]),
  );
  const isOdd = parts.some((part) => amounts[part].trim() !== '' && read[part] === undefined);
  return { parts, read, isOdd: isOdd || read.input === undefined };
}

interface RemoveButtonProps {
  readonly row: ModelPrice;
  readonly isSaving: boolean;
  readonly onClick: () => void;
}

function RemoveButton({ row, isSaving, onClick }: RemoveButtonProps) {
  const { t } = useTranslation();
  return (
    <Button variant="subtle" color="gray" mr="auto" loading={isSaving} onClick={onClick}>
      {row.built_in ? t('Restore built-in price') : t('Remove price')}
    </Button>
  );
}

interface AmountFieldsProps {
  readonly parts: readonly PricePart[];
  readonly amounts: Amounts;
  readonly read: Partial<Record<PricePart, number | undefined>>;
  readonly onChange: (part: PricePart, text: string) => void;
}

const AmountFields = ({ parts, amounts, read, onChange }: AmountFieldsProps) => (
  <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="sm">
    {parts.map((part) => (
      <AmountField
        key={part}
        part={part}
        text={amounts[part]}
        amount={read[part]}
        input={read.input}
        onChange={(text) => onChange(part, text)}
      />
    ))}
  </SimpleGrid>
);

interface AmountFieldProps {
  readonly part: PricePart;
  readonly text: string;
  /** Undefined if the text is not an amount. */
  readonly amount: number | undefined;
  readonly input: number | undefined;
  readonly onChange: (text: string) => void;
}

function AmountField({ part, text, amount, input, onChange }: AmountFieldProps) {
  const { t, label } = useTranslation();
  return (
    <TextInput
      label={label(pricePartLabels[part])}
      inputMode="decimal"
      leftSection="$"
      autoComplete="off"
      value={text}
      placeholder={placeholderOf(part, t)}
      error={text.trim() !== '' && amount === undefined && t('Invalid amount')}
      description={priceBases[part] !== null && input && amount !== undefined ? `× ${ratio(amount, input)}` : '\u00a0'}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const placeholderOf = (part: PricePart, t: Translation['t']): string => {
  if (part === 'input' || isServiceTier(part)) return isServiceTier(part) ? t('No price') : '';
  return part === 'call' ? '0' : t('Proportional');
};

const ratio = (part: number, input: number): string => formatNumber(Number((part / input).toPrecision(4)));

function amountsOf({ price, source }: ModelPrice): Amounts {
  const isEmpty = (part: PricePart) =>
    source === 'none' || ((part === 'call' || isServiceTier(part)) && price[part] === 0);
  const text = (part: PricePart) => (isEmpty(part) ? '' : String(price[part]));
  return Object.fromEntries(priceParts.map((part) => [part, text(part)])) as Amounts;
}
