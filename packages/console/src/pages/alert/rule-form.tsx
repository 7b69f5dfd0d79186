import { type AlertDestination, type AlertRule, alertApi, alertKind, alertNameLength } from '@headgate/contract';
import { Checkbox, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { browserTimeZone } from '../../lib/format/browser-time-zone.ts';
import { type Edit, EditResourceInDialog } from '../../ui/edit/edit-resource.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import type { AlertChanges, RuleBody } from './alert-queries.ts';
import type { Draft } from './rule-draft.ts';
import {
  KindField,
  MeasureFields,
  QuietHoursFields,
  RepeatField,
  ScopeFields,
  ThresholdField,
} from './rule-fields.tsx';

interface RuleFormProps {
  /** Undefined for a new rule. */
  readonly rule: AlertRule | undefined;
  readonly receivers: readonly AlertDestination[];
  readonly changes: AlertChanges;
  readonly onClosed: () => void;
}

const newDraft = (receivers: readonly AlertDestination[]): Draft => ({
  kind: 'channel_disabled',
  name: '',
  enabled: true,
  threshold: 0,
  window_minutes: 10,
  least_requests: 20,
  per: 'channel',
  channels: [],
  tag: '',
  group: '',
  receivers: receivers.map(({ id }) => id),
  quiet_from: '',
  quiet_to: '',
  time_zone: browserTimeZone(),
  repeat_minutes: 0,
});

const hasFittingThreshold = ({ kind, threshold }: Draft): boolean => {
  const row = alertKind(kind).threshold;
  return row === undefined || (threshold >= row.min && threshold <= row.max);
};

/** Rule form: kind, threshold, destinations and quiet hours. */
export function RuleForm({ rule, ...props }: RuleFormProps) {
  if (!rule) return <RuleDialog edit={undefined} {...props} />;
  return (
    <EditResourceInDialog
      endpoint={alertApi.rule}
      input={{ params: { id: rule.id } }}
      shown={bodyOf}
      onFailed={props.onClosed}
    >
      {(edit) => <RuleDialog edit={edit} {...props} />}
    </EditResourceInDialog>
  );
}

interface RuleDialogProps extends Omit<RuleFormProps, 'rule'> {
  /** Undefined for a new rule. */
  readonly edit: Edit<AlertRule> | undefined;
}

function RuleDialog({ edit, receivers, changes, onClosed }: RuleDialogProps) {
  const { t } = useTranslation();
  const rule = edit?.thing;
  const [draft, setDraft] = useState<Draft>(() => rule ?? newDraft(receivers));
  const [isTried, setTried] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const submit = () => {
    setTried(true);
    if (draft.receivers.length === 0 || !hasFittingThreshold(draft)) return;
    changes.saveRule.mutate({ edit, body: bodyOf(draft) }, { onSuccess: () => setSaved(true) });
  };
  return (
    <FormDialog
      title={rule ? t('Edit rule') : t('Add rule')}
      size="lg"
      isSaving={changes.saveRule.isPending}
      isSaved={isSaved}
      onSubmit={submit}
      onClosed={onClosed}
    >
      <KindField draft={draft} change={change} />
      <ThresholdField draft={draft} change={change} isWrong={isTried && !hasFittingThreshold(draft)} />
      <MeasureFields draft={draft} change={change} />
      <ScopeFields draft={draft} change={change} />
      <Checkbox.Group
        label={t('Notify')}
        value={draft.receivers.map(String)}
        error={isTried && draft.receivers.length === 0 && t('Select at least one destination')}
        onChange={(ids) => change({ receivers: ids.map(Number) })}
      >
        <Group mt="xs" gap="md">
          {receivers.map(({ id, name }) => (
            <Checkbox key={id} value={String(id)} label={name} />
          ))}
        </Group>
      </Checkbox.Group>
      <QuietHoursFields draft={draft} change={change} />
      <RepeatField draft={draft} change={change} />
      <TextInput
        label={t('{label} (optional)', { label: t('Name') })}
        value={draft.name}
        maxLength={alertNameLength.max}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
    </FormDialog>
  );
}

/** Drops fields that the kind does not have, and incomplete quiet hours. */
function bodyOf({ kind, ...draft }: Draft): RuleBody {
  const { threshold, scopes } = alertKind(kind);
  const isQuiet = draft.quiet_from !== '' && draft.quiet_to !== '' && draft.quiet_from !== draft.quiet_to;
  return {
    ...draft,
    kind,
    threshold: threshold ? draft.threshold : 0,
    channels: scopes.includes('channels') ? draft.channels : [],
    tag: scopes.includes('tag') ? draft.tag : '',
    group: scopes.includes('group') ? draft.group : '',
    quiet_from: isQuiet ? draft.quiet_from : '',
    quiet_to: isQuiet ? draft.quiet_to : '',
  };
}
