import {
  type Incident,
  type IncidentSeverity,
  incidentApi,
  incidentLength,
  incidentSeverities,
  incidentSeverityNames,
  maxIncidentModels,
} from '@headgate/contract';
import { Group, NativeSelect, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { availableModelsQuery } from '../../lib/page/available-models.ts';
import { type Edit, EditResourceInDialog } from '../../ui/edit/edit-resource.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { bodyOf, draftOf, type IncidentDraft, invalidFields, newDraft, type Prefill } from './incident-draft.ts';
import type { IncidentChanges } from './incident-queries.ts';

interface IncidentFormProps {
  /** Undefined for a new incident. */
  readonly incident: Incident | undefined;
  readonly prefill: Prefill;
  readonly changes: IncidentChanges;
  readonly onClosed: () => void;
}

/** Form of a new or posted incident. */
export function IncidentForm({ incident, ...props }: IncidentFormProps) {
  if (!incident) return <IncidentDialog edit={undefined} {...props} />;
  return (
    <EditResourceInDialog
      endpoint={incidentApi.get}
      input={{ params: { id: incident.id } }}
      shown={draftOf}
      onFailed={props.onClosed}
    >
      {(edit) => <IncidentDialog edit={edit} {...props} />}
    </EditResourceInDialog>
  );
}

interface IncidentDialogProps extends Omit<IncidentFormProps, 'incident'> {
  readonly edit: Edit<Incident> | undefined;
}

function IncidentDialog({ edit, prefill, changes, onClosed }: IncidentDialogProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(() =>
    edit ? draftOf(edit.thing) : newDraft(prefill, Math.floor(Date.now() / 1000)),
  );
  const [isTried, setTried] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const wrong = invalidFields(draft);
  const submit = () => {
    setTried(true);
    if (wrong.size > 0) return;
    changes.save.mutate({ edit, body: bodyOf(draft) }, { onSuccess: () => setSaved(true) });
  };
  return (
    <FormDialog
      title={edit ? t('Edit incident') : t('Post incident')}
      submitLabel={edit ? undefined : t('Post incident')}
      size="lg"
      isSaving={changes.save.isPending}
      isSaved={isSaved}
      onSubmit={submit}
      onClosed={onClosed}
    >
      <IncidentFields
        draft={draft}
        wrong={isTried ? wrong : noFields}
        change={(part) => setDraft((before) => ({ ...before, ...part }))}
      />
    </FormDialog>
  );
}

const noFields: ReturnType<typeof invalidFields> = new Set();

interface IncidentFieldsProps {
  readonly draft: IncidentDraft;
  readonly wrong: ReturnType<typeof invalidFields>;
  readonly change: (part: Partial<IncidentDraft>) => void;
}

function IncidentFields({ draft, wrong, change }: IncidentFieldsProps) {
  const { t, label } = useTranslation();
  const { data: models = [] } = useQuery(availableModelsQuery);
  return (
    <>
      <TextInput
        data-autofocus
        label={t('Title')}
        required
        maxLength={incidentLength.title}
        value={draft.title}
        error={wrong.has('title') && t('Enter a title')}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <Textarea
        label={t('Description')}
        description={t('Everyone can read this on the status page. Plain text.')}
        required
        autosize
        minRows={4}
        maxRows={12}
        maxLength={incidentLength.text}
        value={draft.text}
        error={wrong.has('text') && t('Enter a description')}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('Severity')}
        data={incidentSeverityNames.map((value) => ({ value, label: label(incidentSeverities[value]) }))}
        value={draft.severity}
        onChange={(event) => change({ severity: event.currentTarget.value as IncidentSeverity })}
      />
      <TagsInput
        label={t('Affected models')}
        description={t('Leave empty if all models are affected.')}
        data={models}
        value={[...draft.models]}
        onChange={(next) => change({ models: next })}
        acceptValueOnBlur
        limit={20}
        maxTags={maxIncidentModels}
        maxDropdownHeight={240}
      />
      <Times draft={draft} wrong={wrong} change={change} />
    </>
  );
}

function Times({ draft, wrong, change }: IncidentFieldsProps) {
  const { t } = useTranslation();
  return (
    <Group align="flex-start" grow>
      <TimeInput
        label={t('Start time')}
        description={t('A start in the future marks the incident as planned.')}
        value={draft.start}
        error={wrong.has('start') && t('Invalid time')}
        onChange={(start) => change({ start })}
      />
      <TimeInput
        label={t('{label} (optional)', { label: t('End time') })}
        description={t('Leave empty while the incident is open.')}
        value={draft.end}
        error={wrong.has('end') && t('The end must be after the start')}
        onChange={(end) => change({ end })}
      />
    </Group>
  );
}

interface TimeInputProps {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly error: string | false;
  readonly onChange: (value: string) => void;
}

/** Local time with the picker of the browser. */
function TimeInput({ value, onChange, ...field }: TimeInputProps) {
  return (
    <TextInput
      {...field}
      type="datetime-local"
      step={1}
      value={value.replace(' ', 'T')}
      onChange={(event) => onChange(event.currentTarget.value.replace('T', ' '))}
    />
  );
}
