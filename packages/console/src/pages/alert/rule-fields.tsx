import { type AlertKind, alertKind, alertKindNames } from '@headgate/contract';
import { Group, NativeSelect, NumberInput, Text, TextInput } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useStatus } from '../../lib/page/status.ts';
import { MoneyInput } from '../../ui/form/money-input.tsx';
import { formatAmount } from '../../ui/form/money-text.ts';
import { NameField } from '../../ui/subject/name-field.tsx';
import { SubjectMultiSelect } from '../../ui/subject/subject-select.tsx';
import type { DraftProps } from './rule-draft.ts';

/** Alert kinds that occur only if channels are disabled automatically. */
const automaticKinds: readonly AlertKind[] = ['channel_disabled', 'channel_enabled'];

/** Select for the alert kind of a rule; changing it resets the defaults. */
export function KindField({ draft, change }: DraftProps) {
  const { t, label } = useTranslation();
  const choose = (kind: AlertKind) => {
    const { threshold, repeatMinutes } = alertKind(kind);
    change({ kind, threshold: threshold?.initial ?? 0, repeat_minutes: repeatMinutes });
  };
  return (
    <NativeSelect
      label={t('Event')}
      {...(automaticKinds.includes(draft.kind) && {
        description: t('Only while “Disable channels automatically when they fail” is on in the operation settings.'),
      })}
      data={alertKindNames.map((kind) => ({ value: kind, label: label(alertKind(kind).label) }))}
      value={draft.kind}
      data-autofocus
      onChange={(event) => choose(event.currentTarget.value as AlertKind)}
    />
  );
}

const marks = { percent: '%', seconds: ' s', dollars: ' $', points: '' } as const;

export function ThresholdField({ draft, change, isWrong }: DraftProps & { readonly isWrong: boolean }) {
  const { t, label } = useTranslation();
  const display = useStatus();
  const row = alertKind(draft.kind).threshold;
  if (!row) return null;
  const shown = (amount: number) => (row.unit === 'points' ? formatAmount(amount, display) : amount);
  const error = isWrong && t('Between {min} and {max}', { min: shown(row.min), max: shown(row.max) });
  if (row.unit === 'points')
    return (
      <MoneyInput
        label={label(row.label)}
        value={draft.threshold}
        error={error}
        onChange={(value) => change({ threshold: Number(value) })}
      />
    );
  return (
    <NumberInput
      label={label(row.label)}
      value={draft.threshold}
      min={row.min}
      max={row.max}
      suffix={marks[row.unit]}
      decimalScale={2}
      allowNegative={false}
      error={error}
      onChange={(value) => change({ threshold: Number(value) })}
    />
  );
}

/** Time window, scope and minimum number of requests of a measured kind. */
export function MeasureFields({ draft, change }: DraftProps) {
  const { t } = useTranslation();
  if (!alertKind(draft.kind).isMeasured) return null;
  return (
    <>
      <NativeSelect
        label={t('Measured for')}
        data={[
          { value: 'channel', label: t('Each channel separately') },
          { value: 'gateway', label: t('All requests combined') },
        ]}
        value={draft.per}
        onChange={(event) => change({ per: event.currentTarget.value === 'gateway' ? 'gateway' : 'channel' })}
      />
      <Group grow align="start">
        <NumberInput
          label={t('Time window (minutes)')}
          value={draft.window_minutes}
          min={1}
          max={60}
          clampBehavior="strict"
          onChange={(value) => change({ window_minutes: Number(value) || 1 })}
        />
        <NumberInput
          label={t('Minimum requests')}
          value={draft.least_requests}
          min={1}
          max={1_000_000}
          clampBehavior="strict"
          onChange={(value) => change({ least_requests: Number(value) || 1 })}
        />
      </Group>
    </>
  );
}

const maxChannels = 100;

/** Conditions of a rule. */
export function ScopeFields({ draft, change }: DraftProps) {
  const { t } = useTranslation();
  const { scopes, isMeasured } = alertKind(draft.kind);
  const isAll = isMeasured && draft.per === 'gateway';
  return (
    <>
      {scopes.includes('channels') && !isAll && (
        <>
          <SubjectMultiSelect
            source="channel"
            label={t('Only these channels')}
            description={t('Leave empty for all.')}
            value={draft.channels}
            max={maxChannels}
            onChange={(channels) => change({ channels })}
          />
          <NameField
            source="tag"
            label={t('Only channels with this tag')}
            description={t('Leave empty for any.')}
            value={draft.tag}
            onChange={(tag) => change({ tag })}
          />
        </>
      )}
      {scopes.includes('group') && (
        <NameField
          source="group"
          label={t('Only users of this group')}
          description={t('Leave empty for any.')}
          value={draft.group}
          onChange={(group) => change({ group })}
        />
      )}
    </>
  );
}

export function QuietHoursFields({ draft, change }: DraftProps) {
  const { t } = useTranslation();
  const help = useId();
  return (
    <div>
      <Group grow>
        <TextInput
          type="time"
          label={t('Quiet hours start')}
          aria-describedby={help}
          value={draft.quiet_from}
          onChange={(event) => change({ quiet_from: event.currentTarget.value })}
        />
        <TextInput
          type="time"
          label={t('Quiet hours end')}
          aria-describedby={help}
          value={draft.quiet_to}
          onChange={(event) => change({ quiet_to: event.currentTarget.value })}
        />
      </Group>
      <Text id={help} size="xs" c="dimmed" mt={4}>
        {t('Alerts raised during quiet hours are sent when the quiet hours end.')} · {draft.time_zone}
      </Text>
    </div>
  );
}

export function RepeatField({ draft, change }: DraftProps) {
  const { t } = useTranslation();
  return (
    <NumberInput
      label={t('Repeat interval (minutes)')}
      description={t('0 sends every alert.')}
      value={draft.repeat_minutes}
      min={0}
      max={43_200}
      clampBehavior="strict"
      onChange={(value) => change({ repeat_minutes: Number(value) || 0 })}
    />
  );
}
