import {
  type DestinationField,
  type LogExport,
  type LogExportKind,
  logExportApi,
  logExportFields,
  logExportKindNames,
  logExportKinds,
  logExportNameLength,
} from '@headgate/contract';
import { NativeSelect, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { type Edit, EditResourceInDialog } from '../../ui/edit/edit-resource.tsx';
import { DestinationSettingInput } from '../../ui/form/destination-setting-input.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import type { LogExportChanges } from './log-export-queries.ts';

interface LogExportFormProps {
  /** Undefined for a new one. */
  readonly logExport: LogExport | undefined;
  readonly changes: LogExportChanges;
  readonly onClosed: () => void;
}

type Settings = Readonly<Record<string, string>>;

const initialOf = (kind: LogExportKind): Settings =>
  Object.fromEntries(Object.entries(logExportFields(kind)).map(([name, { initial = '' }]) => [name, initial]));

/** Log export form; its fields depend on the kind. */
export function LogExportForm({ logExport, ...props }: LogExportFormProps) {
  if (!logExport) return <LogExportDialog edit={undefined} {...props} />;
  return (
    <EditResourceInDialog
      endpoint={logExportApi.get}
      input={{ params: { id: logExport.id } }}
      shown={shownOf}
      onFailed={props.onClosed}
    >
      {(edit) => <LogExportDialog edit={edit} {...props} />}
    </EditResourceInDialog>
  );
}

const shownOf = ({ name, enabled, settings, secrets }: LogExport) => [name, enabled, settings, secrets];

interface DialogProps extends Omit<LogExportFormProps, 'logExport'> {
  /** Undefined for a new one. */
  readonly edit: Edit<LogExport> | undefined;
}

function LogExportDialog({ edit, changes, onClosed }: DialogProps) {
  const { t } = useTranslation();
  const logExport = edit?.thing;
  const [kind, setKind] = useState<LogExportKind>(logExport?.kind ?? 's3');
  const [name, setName] = useState(logExport?.name ?? '');
  const [isFromStart, setFromStart] = useState(false);
  const [settings, setSettings] = useState<Settings>(logExport?.settings ?? initialOf(kind));
  const [isTried, setTried] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const missing = (field: string, row: DestinationField) =>
    row.isOptional !== true && (settings[field] ?? '').trim() === '' && !logExport?.secrets.includes(field);
  const submit = () => {
    setTried(true);
    const isMissing = Object.entries(logExportFields(kind)).some(([field, row]) => missing(field, row));
    if (name.trim() === '' || isMissing) return;
    const from = isFromStart ? ('start' as const) : ('now' as const);
    const body = { kind, name, from, enabled: logExport?.enabled ?? true, settings: { ...settings } };
    changes.save.mutate({ edit, body }, { onSuccess: () => setSaved(true) });
  };
  const choose = (next: LogExportKind) => {
    setKind(next);
    setSettings(initialOf(next));
    setTried(false);
  };
  return (
    <FormDialog
      title={logExport ? t('Edit {name}', { name: logExport.name }) : t('Add log export')}
      isSaving={changes.save.isPending}
      isSaved={isSaved}
      onSubmit={submit}
      onClosed={onClosed}
    >
      <KindField kind={kind} isFixed={logExport !== undefined} onChange={choose} />
      <TextInput
        label={t('Name')}
        value={name}
        maxLength={logExportNameLength.max}
        error={isTried && name.trim() === '' && t('Enter a name')}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {Object.entries(logExportFields(kind)).map(([field, row]) => (
        <DestinationSettingInput
          key={`${kind} ${field}`}
          row={row}
          value={settings[field] ?? ''}
          isKept={logExport?.secrets.includes(field) === true}
          isMissing={isTried && missing(field, row)}
          onChange={(value) => setSettings((before) => ({ ...before, [field]: value }))}
        />
      ))}
      {!logExport && <FromStartSwitch isFromStart={isFromStart} onChange={setFromStart} />}
    </FormDialog>
  );
}

interface FromStartSwitchProps {
  readonly isFromStart: boolean;
  readonly onChange: (isFromStart: boolean) => void;
}

function FromStartSwitch({ isFromStart, onChange }: FromStartSwitchProps) {
  const { t } = useTranslation();
  return (
    <Switch
      label={t('Include existing logs')}
      description={t('Off: exports only new logs.')}
      checked={isFromStart}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

interface KindFieldProps {
  readonly kind: LogExportKind;
  readonly isFixed: boolean;
  readonly onChange: (kind: LogExportKind) => void;
}

function KindField({ kind, isFixed, onChange }: KindFieldProps) {
  const { t, label } = useTranslation();
  if (isFixed) return <Text size="sm">{label(logExportKinds[kind].help)}</Text>;
  return (
    <NativeSelect
      label={t('Type')}
      description={label(logExportKinds[kind].help)}
      data={logExportKindNames.map((each) => ({ value: each, label: label(logExportKinds[each].label) }))}
      value={kind}
      data-autofocus
      onChange={(event) => onChange(event.currentTarget.value as LogExportKind)}
    />
  );
}
