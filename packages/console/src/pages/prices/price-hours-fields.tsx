import type { PriceWindow } from '@headgate/contract';
import { ActionIcon, Button, Group, MultiSelect, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/translate.ts';

interface PriceHoursFieldsProps {
  readonly hours: readonly PriceWindow[];
  readonly onChange: (hours: readonly PriceWindow[]) => void;
}

const newWindow: PriceWindow = { from: '00:00', to: '08:00', days: [], zone: 'UTC', multiplier: 0.5 };

/** Hours in which the model costs a multiple of its price. */
export function PriceHoursFields({ hours, onChange }: PriceHoursFieldsProps) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <Text c="dimmed" size="sm">
        {t('Multiplies the price of requests that start in these hours. The first match applies.')}
      </Text>
      {hours.map((window, index) => (
        <WindowFields
          key={String(index)}
          window={window}
          onChange={(changed) => onChange(hours.with(index, changed))}
          onRemove={() => onChange(hours.toSpliced(index, 1))}
        />
      ))}
      <Button variant="default" size="xs" mr="auto" onClick={() => onChange([...hours, newWindow])}>
        {t('Add hours')}
      </Button>
    </Stack>
  );
}

interface WindowFieldsProps {
  readonly window: PriceWindow;
  readonly onChange: (window: PriceWindow) => void;
  readonly onRemove: () => void;
}

function WindowFields({ window, onChange, onRemove }: WindowFieldsProps) {
  const { t } = useTranslation();
  const names = [t('Mon'), t('Tue'), t('Wed'), t('Thu'), t('Fri'), t('Sat'), t('Sun')];
  const days = names.map((label, index) => ({ label, value: String(index + 1) }));
  const time = (name: 'from' | 'to', label: string) => (
    <TextInput
      label={label}
      type="time"
      value={window[name]}
      onChange={(event) => onChange({ ...window, [name]: event.currentTarget.value })}
    />
  );
  return (
    <Group align="end" gap="xs">
      {time('from', t('Start'))}
      {time('to', t('End'))}
      <MultiSelect
        label={t('Days')}
        placeholder={window.days.length === 0 ? t('Every day') : ''}
        data={days}
        value={window.days.map(String)}
        onChange={(chosen) => onChange({ ...window, days: chosen.map(Number).toSorted((one, other) => one - other) })}
        w={190}
      />
      <TextInput
        label={t('Time zone')}
        value={window.zone}
        onChange={(event) => onChange({ ...window, zone: event.currentTarget.value })}
        w={120}
      />
      <NumberInput
        label={t('Multiplier')}
        value={window.multiplier}
        min={0}
        max={100}
        step={0.1}
        onChange={(amount) => onChange({ ...window, multiplier: Number(amount) })}
        w={90}
      />
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('Remove hours')} onClick={onRemove}>
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  );
}
