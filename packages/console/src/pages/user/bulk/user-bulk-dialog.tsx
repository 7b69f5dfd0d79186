import { splitCommas, type UserBulkChange, userStatuses } from '@headgate/contract';
import { SegmentedControl, Stack, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { BulkDialog } from '../../../ui/bulk/bulk-dialog.tsx';
import type { ReportLabels } from '../../../ui/bulk/bulk-report.tsx';
import { MoneyInput } from '../../../ui/form/money-input.tsx';
import { changeUsers, groupsQuery, type SelectedUsers, undoUserChanges } from '../user-queries.ts';

/** A kind of change that needs input, or a complete change. */
export type UserBulkRequest = { readonly kind: 'group' | 'quota' } | { readonly change: UserBulkChange };

interface Draft {
  readonly groups: readonly string[];
  readonly deed: 'add' | 'take';
  readonly points: number | '';
  readonly reason: string;
}

const emptyDraft: Draft = { groups: [], deed: 'add', points: '', reason: '' };

interface UserBulkDialogProps {
  readonly title: string;
  readonly request: UserBulkRequest;
  readonly chosen: SelectedUsers;
  readonly onChanged: () => void;
  readonly onClosed: () => void;
}

export function UserBulkDialog({ title, request, chosen, onChanged, onClosed }: UserBulkDialogProps) {
  const { t } = useTranslation();
  const labels = useReportLabels();
  const [draft, setDraft] = useState(emptyDraft);
  const change = 'change' in request ? request.change : changeOf(request.kind, draft);
  const edit = (next: Partial<Draft>) => setDraft((before) => ({ ...before, ...next }));
  return (
    <BulkDialog
      title={title}
      changeKey={change && JSON.stringify([chosen, change])}
      run={(mode) =>
        change ? changeUsers({ chosen, change, ...mode }) : Promise.reject(new Error('nothing is chosen'))
      }
      undo={undoUserChanges}
      labels={labels}
      confirm={(count) => (count === 1 ? t('Change 1 user') : t('Change {count} users', { count }))}
      onChanged={onChanged}
      onClosed={onClosed}
    >
      {'kind' in request && request.kind === 'group' && <GroupField draft={draft} onChange={edit} />}
      {'kind' in request && request.kind === 'quota' && <QuotaFields draft={draft} onChange={edit} />}
    </BulkDialog>
  );
}

function changeOf(kind: 'group' | 'quota', { groups, deed, points, reason }: Draft): UserBulkChange | undefined {
  if (kind === 'group') {
    const group = splitCommas(groups.join(',')).join(',');
    return group === '' ? undefined : { kind, group };
  }
  if (points === '' || points === 0 || reason.trim() === '') return undefined;
  return { kind, amount: deed === 'take' ? -points : points, reason: reason.trim() };
}

interface FieldsProps {
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}

function GroupField({ draft, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const { data: groups = [] } = useQuery(groupsQuery);
  return (
    <TagsInput
      data-autofocus
      label={t('Group')}
      data={groups}
      value={[...draft.groups]}
      onChange={(next) => onChange({ groups: next })}
      acceptValueOnBlur
    />
  );
}

function QuotaFields({ draft, onChange }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={t('Action')}
        value={draft.deed}
        onChange={(action) => onChange({ deed: action as Draft['deed'] })}
        data={[
          { value: 'add', label: t('Add') },
          { value: 'take', label: t('Subtract') },
        ]}
      />
      <MoneyInput data-autofocus label={t('Quota')} value={draft.points} onChange={(points) => onChange({ points })} />
      <TextInput
        label={t('Reason')}
        description={t('Recorded in the log of each user.')}
        withAsterisk
        maxLength={500}
        value={draft.reason}
        onChange={(event) => onChange({ reason: event.currentTarget.value })}
      />
    </Stack>
  );
}

function useReportLabels(): ReportLabels {
  const { t, label } = useTranslation();
  const names: Readonly<Record<string, string>> = {
    status: t('Status'),
    group: t('Group'),
    quota: t('Remaining quota'),
    tokens: t('Active tokens'),
  };
  return {
    field: (name) => names[name] ?? name,
    value: (field, value) => (field === 'status' ? label(userStatuses[Number(value)]?.label ?? value) : value),
  };
}
