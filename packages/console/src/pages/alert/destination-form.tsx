import {
  type AlertDestination,
  type AlertLanguage,
  alertApi,
  alertLanguages,
  alertNameLength,
  type DestinationField,
  type DestinationKind,
  destinationFields,
  destinationKindNames,
  destinationKinds,
} from '@headgate/contract';
import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { type Edit, EditResourceInDialog } from '../../ui/edit/edit-resource.tsx';
import { DestinationSettingInput } from '../../ui/form/destination-setting-input.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import type { AlertChanges } from './alert-queries.ts';

interface ReceiverFormProps {
  /** Undefined for a new destination. */
  readonly receiver: AlertDestination | undefined;
  readonly changes: AlertChanges;
  readonly onClosed: () => void;
}

type Settings = Readonly<Record<string, string>>;

const initialOf = (kind: DestinationKind): Settings =>
  Object.fromEntries(Object.entries(destinationFields(kind)).map(([name, { initial = '' }]) => [name, initial]));

/** Destination form; its fields depend on the kind. */
export function DestinationForm({ receiver, ...props }: ReceiverFormProps) {
  if (!receiver) return <ReceiverDialog edit={undefined} {...props} />;
  return (
    <EditResourceInDialog
      endpoint={alertApi.receiver}
      input={{ params: { id: receiver.id } }}
      shown={shownOf}
      onFailed={props.onClosed}
    >
      {(edit) => <ReceiverDialog edit={edit} {...props} />}
    </EditResourceInDialog>
  );
}

const shownOf = ({ name, language, settings, secrets }: AlertDestination) => [name, language, settings, secrets];

interface ReceiverDialogProps extends Omit<ReceiverFormProps, 'receiver'> {
  /** Undefined for a new destination. */
  readonly edit: Edit<AlertDestination> | undefined;
}

function ReceiverDialog({ edit, changes, onClosed }: ReceiverDialogProps) {
  const { t, label } = useTranslation();
  const receiver = edit?.thing;
  const [kind, setKind] = useState<DestinationKind>(receiver?.kind ?? 'email');
  const [name, setName] = useState(receiver?.name ?? '');
  const [language, setLanguage] = useState<AlertLanguage>(receiver?.language ?? 'both');
  const [settings, setSettings] = useState<Settings>(receiver?.settings ?? initialOf(kind));
  const [isTried, setTried] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const missing = (field: string, row: DestinationField) =>
    row.isOptional !== true && (settings[field] ?? '').trim() === '' && !receiver?.secrets.includes(field);
  const submit = () => {
    setTried(true);
    const isMissing = Object.entries(destinationFields(kind)).some(([field, row]) => missing(field, row));
    if (name.trim() === '' || isMissing) return;
    const body = { kind, name, language, settings: { ...settings } };
    changes.saveReceiver.mutate({ edit, body }, { onSuccess: () => setSaved(true) });
  };
  const choose = (next: DestinationKind) => {
    setKind(next);
    setSettings(initialOf(next));
    setTried(false);
  };
  return (
    <FormDialog
      title={receiver ? t('Edit {name}', { name: receiver.name }) : t('Add destination')}
      isSaving={changes.saveReceiver.isPending}
      isSaved={isSaved}
      onSubmit={submit}
      onClosed={onClosed}
    >
      <KindField kind={kind} isFixed={receiver !== undefined} onChange={choose} />
      <TextInput
        label={t('Name')}
        value={name}
        maxLength={alertNameLength.max}
        error={isTried && name.trim() === '' && t('Enter a name')}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {Object.entries(destinationFields(kind)).map(([field, row]) => (
        <DestinationSettingInput
          key={`${kind} ${field}`}
          row={row}
          value={settings[field] ?? ''}
          isKept={receiver?.secrets.includes(field) === true}
          isMissing={isTried && missing(field, row)}
          onChange={(value) => setSettings((before) => ({ ...before, [field]: value }))}
        />
      ))}
      <NativeSelect
        label={t('Message language')}
        data={Object.entries(alertLanguages).map(([value, words]) => ({ value, label: label(words) }))}
        value={language}
        onChange={(event) => setLanguage(event.currentTarget.value as AlertLanguage)}
      />
    </FormDialog>
  );
}

interface KindFieldProps {
  readonly kind: DestinationKind;
  readonly isFixed: boolean;
  readonly onChange: (kind: DestinationKind) => void;
}

function KindField({ kind, isFixed, onChange }: KindFieldProps) {
  const { t, label } = useTranslation();
  if (isFixed) return <Text size="sm">{label(destinationKinds[kind].help)}</Text>;
  return (
    <NativeSelect
      label={t('Type')}
      description={label(destinationKinds[kind].help)}
      data={destinationKindNames.map((each) => ({ value: each, label: label(destinationKinds[each].label) }))}
      value={kind}
      data-autofocus
      onChange={(event) => onChange(event.currentTarget.value as DestinationKind)}
    />
  );
}
