import { neverExpires, splitCommas, type TokenBulkChange, tokenStatuses } from '@headgate/contract';
import { Checkbox, Stack, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { formatTime } from '../../../lib/format/format.ts';
import { useQuotaFormat } from '../../../lib/format/quota.ts';
import { availableModelsQuery } from '../../../lib/page/available-models.ts';
import { BulkDialog } from '../../../ui/bulk/bulk-dialog.tsx';
import type { ReportLabels } from '../../../ui/bulk/bulk-report.tsx';
import { MoneyInput } from '../../../ui/form/money-input.tsx';
import { changeTokens, type SelectedTokens, undoTokenChanges } from '../token-queries.ts';

/** A kind of change that needs input, or a complete change. */
export type TokenBulkRequest = { readonly kind: 'expiry' | 'quota' | 'models' } | { readonly change: TokenBulkChange };

interface Draft {
  /** Value of a `datetime-local` input. */
  readonly day: string;
  readonly points: number | '';
  readonly isUnlimited: boolean;
  readonly models: readonly string[];
}

const emptyDraft: Draft = { day: '', points: '', isUnlimited: false, models: [] };

interface TokenBulkDialogProps {
  readonly title: string;
  readonly request: TokenBulkRequest;
  readonly chosen: SelectedTokens;
  readonly onChanged: () => void;
  readonly onClosed: () => void;
}

export function TokenBulkDialog({ title, request, chosen, onChanged, onClosed }: TokenBulkDialogProps) {
  const { t } = useTranslation();
  const labels = useReportLabels();
  const [draft, setDraft] = useState(emptyDraft);
  const change = 'change' in request ? request.change : changeOf(request.kind, draft);
  const isDeletion = change?.kind === 'delete';
  return (
    <BulkDialog
      title={title}
      changeKey={change && JSON.stringify([chosen, change])}
      run={(mode) =>
        change ? changeTokens({ chosen, change, ...mode }) : Promise.reject(new Error('nothing is chosen'))
      }
      undo={undoTokenChanges}
      labels={labels}
      isDanger={isDeletion}
      confirm={(count) => (isDeletion ? t('Delete {count} tokens', { count }) : t('Change {count} tokens', { count }))}
      onChanged={onChanged}
      onClosed={onClosed}
    >
      {'kind' in request && (
        <Fields kind={request.kind} draft={draft} onChange={(next) => setDraft((before) => ({ ...before, ...next }))} />
      )}
    </BulkDialog>
  );
}

type Kind = 'expiry' | 'quota' | 'models';

function changeOf(kind: Kind, { day, points, isUnlimited, models }: Draft): TokenBulkChange | undefined {
  if (kind === 'models') return { kind, models: splitCommas(models.join(',')).join(',') };
  if (kind === 'quota') {
    if (isUnlimited) return { kind, remain_quota: null };
    return points === '' ? undefined : { kind, remain_quota: points };
  }
  const seconds = Math.floor(new Date(day).getTime() / 1000);
  return Number.isNaN(seconds) ? undefined : { kind, expired_time: seconds };
}

interface FieldsProps {
  readonly kind: Kind;
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}

function Fields({ kind, draft, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const { data: models = [] } = useQuery({ ...availableModelsQuery, enabled: kind === 'models' });
  const [search, setSearch] = useState('');
  if (kind === 'expiry') {
    return (
      <TextInput
        data-autofocus
        type="datetime-local"
        label={t('Expires')}
        value={draft.day}
        onChange={(event) => onChange({ day: event.currentTarget.value })}
      />
    );
  }
  if (kind === 'models') {
    return (
      <TagsInput
        data-autofocus
        label={t('Models')}
        description={t('Leave empty to allow all models.')}
        data={search === '' ? [] : models}
        onSearchChange={setSearch}
        value={[...draft.models]}
        onChange={(next) => onChange({ models: next })}
        acceptValueOnBlur
        limit={100}
        maxDropdownHeight={240}
      />
    );
  }
  return (
    <Stack gap="sm">
      <MoneyInput
        data-autofocus
        label={t('Remaining quota')}
        disabled={draft.isUnlimited}
        value={draft.points}
        onChange={(points) => onChange({ points })}
      />
      <Checkbox
        label={t('Unlimited')}
        checked={draft.isUnlimited}
        onChange={(event) => onChange({ isUnlimited: event.currentTarget.checked })}
      />
    </Stack>
  );
}

function useReportLabels(): ReportLabels {
  const { t, label } = useTranslation();
  const format = useQuotaFormat();
  const names: Readonly<Record<string, string>> = {
    status: t('Status'),
    expired_time: t('Expires'),
    remain_quota: t('Remaining quota'),
    unlimited_quota: t('Unlimited'),
    models: t('Models'),
  };
  const values: Readonly<Record<string, (value: string) => string>> = {
    status: (value) => label(tokenStatuses[Number(value)]?.label ?? value),
    expired_time: (value) => (Number(value) === neverExpires ? t('Never') : formatTime(Number(value))),
    remain_quota: (value) => format(Number(value)),
    unlimited_quota: (value) => (value === '1' ? t('On') : t('Off')),
  };
  return { field: (name) => names[name] ?? name, value: (field, value) => values[field]?.(value) ?? value };
}
