import { isSecretHeader } from '@headgate/contract';
import { ActionIcon, NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type TextKey, useTranslation } from '../../../i18n/translate.ts';
import type { ActionDraft, ConditionDraft } from './rule-drafts.ts';
import styles from './rules.module.css';

interface LineProps {
  readonly number: number;
  readonly errorAt: (name: string) => string | undefined;
  /** Absent: the line cannot be removed. */
  readonly onRemove: (() => void) | undefined;
}

const conditionLabels: Readonly<Record<ConditionDraft['is'], TextKey>> = {
  exists: 'Field exists',
  missing: 'Field is missing',
  equals: 'Field equals',
  matches: 'Field matches',
};

interface ConditionLineProps extends LineProps {
  readonly condition: ConditionDraft;
  readonly onChange: (condition: ConditionDraft) => void;
}

/** One condition on a field. */
export function ConditionLine({ number, condition, errorAt, onChange, onRemove }: ConditionLineProps) {
  const { t, label } = useTranslation();
  const { is, path, value } = condition;
  const hasValue = is === 'equals' || is === 'matches';
  return (
    <div className={styles['line']}>
      <div className={styles['inputs']}>
        <NativeSelect
          label={t('Condition {n}', { n: number })}
          data={Object.entries(conditionLabels).map(([kind, text]) => ({ value: kind, label: label(text) }))}
          value={is}
          onChange={({ currentTarget }) => onChange({ ...condition, is: currentTarget.value as ConditionDraft['is'] })}
        />
        <PathInput
          label={t('Path')}
          value={path}
          error={errorAt('path')}
          onChange={(next) => onChange({ ...condition, path: next })}
        />
        {hasValue && (
          <TextInput
            label={is === 'equals' ? t('Value (JSON or text)') : t('Pattern')}
            value={value}
            error={errorAt(is === 'equals' ? 'value' : 'pattern')}
            onChange={({ currentTarget }) => onChange({ ...condition, value: currentTarget.value })}
          />
        )}
      </div>
      <RemoveButton label={t('Remove condition {n}', { n: number })} onRemove={onRemove} />
    </div>
  );
}

const actionLabels: Readonly<Record<ActionDraft['do'], TextKey>> = {
  set: 'Set field',
  default: 'Set field if missing',
  remove: 'Remove field',
  rename: 'Rename field',
  set_header: 'Set header',
  remove_header: 'Remove header',
  pass_header: 'Pass client header',
  status: 'Override retries for a status',
  reject: 'Reject request',
};

interface ActionLineProps extends LineProps {
  readonly action: ActionDraft;
  readonly keepsSecrets: boolean;
  readonly onChange: (action: ActionDraft) => void;
}

/** One action. */
export function ActionLine({ number, action, onRemove, ...props }: ActionLineProps) {
  const { t, label } = useTranslation();
  return (
    <div className={styles['line']}>
      <div className={styles['inputs']}>
        <NativeSelect
          label={t('Action {n}', { n: number })}
          data={Object.entries(actionLabels).map(([kind, text]) => ({ value: kind, label: label(text) }))}
          value={action.do}
          onChange={({ currentTarget }) => props.onChange({ ...action, do: currentTarget.value as ActionDraft['do'] })}
        />
        <ActionInputs action={action} {...props} />
      </div>
      <RemoveButton label={t('Remove action {n}', { n: number })} onRemove={onRemove} />
    </div>
  );
}

function ActionInputs({ action, keepsSecrets, errorAt, onChange }: Omit<ActionLineProps, 'number' | 'onRemove'>) {
  const { t } = useTranslation();
  const set = (part: Partial<ActionDraft>) => onChange({ ...action, ...part });
  const { do: kind } = action;
  if (kind === 'status') return <StatusInputs action={action} error={errorAt('status')} onChange={set} />;
  if (kind === 'reject')
    return (
      <TextInput
        label={t('Message')}
        value={action.message}
        error={errorAt('message')}
        onChange={({ currentTarget }) => set({ message: currentTarget.value })}
      />
    );
  if (kind === 'set_header' || kind === 'remove_header' || kind === 'pass_header')
    return (
      <>
        <PathInput
          label={t('Header')}
          placeholder="x-team"
          value={action.header}
          error={errorAt('header')}
          onChange={(header) => set({ header })}
        />
        {kind === 'set_header' && (
          <HeaderValue
            action={action}
            keepsSecrets={keepsSecrets}
            error={errorAt('value')}
            onChange={(headerValue) => set({ headerValue })}
          />
        )}
      </>
    );
  return (
    <>
      <PathInput label={t('Path')} value={action.path} error={errorAt('path')} onChange={(path) => set({ path })} />
      {kind === 'rename' && (
        <PathInput label={t('New path')} value={action.to} error={errorAt('to')} onChange={(to) => set({ to })} />
      )}
      {(kind === 'set' || kind === 'default') && (
        <TextInput
          label={t('Value (JSON or text)')}
          value={action.value}
          error={errorAt('value')}
          spellCheck={false}
          onChange={({ currentTarget }) => set({ value: currentTarget.value })}
        />
      )}
    </>
  );
}

interface HeaderValueProps {
  readonly action: ActionDraft;
  readonly keepsSecrets: boolean;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

function HeaderValue({ action, keepsSecrets, error, onChange }: HeaderValueProps) {
  const { t } = useTranslation();
  const isSecret = isSecretHeader(action.header.trim().toLowerCase());
  const shared = {
    label: t('Value'),
    description:
      isSecret && keepsSecrets
        ? t('Stored encrypted. Leave empty to keep the stored value.')
        : t("{placeholder} stands for the channel's key.", { placeholder: '{api_key}' }),
    value: action.headerValue,
    error,
    spellCheck: false,
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => onChange(currentTarget.value),
  };
  return isSecret ? (
    <PasswordInput {...shared} autoComplete="new-password" />
  ) : (
    <TextInput {...shared} autoComplete="off" />
  );
}

interface StatusInputsProps {
  readonly action: ActionDraft;
  readonly error: string | undefined;
  readonly onChange: (part: Partial<ActionDraft>) => void;
}

function StatusInputs({ action, error, onChange }: StatusInputsProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t('Upstream status')}
        placeholder="529"
        inputMode="numeric"
        value={action.status}
        error={error}
        onChange={({ currentTarget }) => onChange({ status: currentTarget.value })}
      />
      <NativeSelect
        label={t('Retries')}
        data={[
          { value: 'yes', label: t('Retry on another channel') },
          { value: 'no', label: t('Do not retry') },
        ]}
        value={action.retryable ? 'yes' : 'no'}
        onChange={({ currentTarget }) => onChange({ retryable: currentTarget.value === 'yes' })}
      />
    </>
  );
}

interface PathInputProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

function PathInput({ onChange, placeholder = 'metadata.team', ...props }: PathInputProps) {
  return (
    <TextInput
      {...props}
      placeholder={placeholder}
      autoComplete="off"
      spellCheck={false}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function RemoveButton({ label, onRemove }: { readonly label: string; readonly onRemove: (() => void) | undefined }) {
  if (!onRemove) return null;
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={onRemove}>
      <IconX size={16} />
    </ActionIcon>
  );
}
