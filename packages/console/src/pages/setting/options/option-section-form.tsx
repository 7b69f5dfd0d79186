import {
  canChangeOption,
  formatLogSubject,
  isPriceOption,
  type OptionKey,
  type OptionSection,
  optionKeys,
  optionRow,
  optionSections,
  type StoredOption,
} from '@headgate/contract';
import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { currentUser } from '../../../lib/account/session.ts';
import { query } from '../../../lib/page/address.ts';
import { useManaged } from '../../../lib/page/managed.ts';
import { useStatus } from '../../../lib/page/status.ts';
import { LockedFields } from '../../../ui/managed/managed.tsx';
import { OptionField } from '../fields/option-field.tsx';
import styles from '../setting.module.css';
import { displayedText, willBeCleared } from './option-draft.ts';
import type { OptionEdit } from './option-edit.ts';
import { OptionToggle } from './option-toggle.tsx';

/** Reason why an option is read-only for the current user; undefined if it is not. */
function useLock(): (key: OptionKey) => string | undefined {
  const { t } = useTranslation();
  const isManaged = useManaged('option');
  return (key) => {
    if (isManaged(key)) return t('Managed by the configuration file. Change it there.');
    return canChangeOption(currentUser(), key) ? undefined : t('Only a super admin can change this setting.');
  };
}

interface LockedOptions {
  readonly reason: string | undefined;
  readonly keys: readonly OptionKey[];
}

/** Options in order; adjacent options with the same reason share one hint. */
function byLock(keys: readonly OptionKey[], lockOf: (key: OptionKey) => string | undefined): LockedOptions[] {
  const groups: { reason: string | undefined; keys: OptionKey[] }[] = [];
  for (const key of keys) {
    const reason = lockOf(key);
    const last = groups.at(-1);
    if (last && last.reason === reason) last.keys.push(key);
    else groups.push({ reason, keys: [key] });
  }
  return groups;
}

interface SectionFieldProps {
  readonly name: OptionKey;
  readonly stored: StoredOption | undefined;
  readonly edit: OptionEdit;
}

function SectionField({ name, stored, edit }: SectionFieldProps) {
  const secret = willBeCleared(name, edit.changed) ? 'forgotten' : 'stored';
  return (
    <OptionField
      name={name}
      text={edit.draft[name] ?? displayedText(name, stored?.value ?? '')}
      secretState={stored?.stored ? secret : 'none'}
      error={edit.mistakeOf(name)}
      onChange={edit.set}
    />
  );
}

/** Large controls are below their labels, others beside them. */
function layoutOf(key: OptionKey) {
  const { control, isQuota } = optionRow(key);
  if (control === 'toggle') return 'toggle';
  if (control === 'long-text' || control === 'ratios') return 'large';
  return isQuota ? 'money' : 'field';
}

interface OptionControlsProps {
  readonly keys: readonly OptionKey[];
  readonly stored: ReadonlyMap<string, StoredOption>;
  readonly edit: OptionEdit;
}

/** Option controls in order; each can be found by its option key. */
function OptionControls({ keys, stored, edit }: OptionControlsProps) {
  const lockOf = useLock();
  return byLock(keys, lockOf).map(({ reason, keys: locked }) => (
    <LockedFields key={locked[0]} reason={reason}>
      {locked.map((key) => (
        <div key={key} id={optionId(key)} className={styles['option']} data-layout={layoutOf(key)}>
          {optionRow(key).control === 'toggle' ? (
            <OptionToggle name={key} value={stored.get(key)?.value ?? 'false'} />
          ) : (
            <SectionField name={key} stored={stored.get(key)} edit={edit} />
          )}
        </div>
      ))}
    </LockedFields>
  ));
}

/** Id of the element that contains an option. */
export const optionId = (key: string): string => `option-${key}`;

interface OptionSectionFormProps {
  readonly section: OptionSection;
  readonly stored: ReadonlyMap<string, StoredOption>;
  readonly edit: OptionEdit;
  readonly children?: ReactNode;
}

/** A section of options. Switches apply immediately; other fields are saved together, across all sections. */
export function OptionSectionForm({ section, stored, edit, children }: OptionSectionFormProps) {
  const { t, label } = useTranslation();
  const { extensions } = useStatus();
  const { option } = useSearch({ strict: false }) as { option?: string };
  const keys = optionKeys.filter((key) => optionRow(key).section === section);
  const toggles = keys.filter((key) => optionRow(key).control === 'toggle');
  const fields = keys.filter((key) => optionRow(key).control !== 'toggle' && !isPriceOption(key));
  const ratios = keys.filter(isPriceOption);
  const isEdited = edit.changed.some(({ key }) => isPriceOption(key));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    edit.save();
  };
  return (
    <Paper withBorder p="lg" component="section">
      <Group justify="space-between" mb="md">
        <Title order={2} id={`setting-${section}`}>
          {label(optionSections[section].label)}
        </Title>
        {extensions && keys.length > 0 && (
          <Anchor
            component={Link}
            to="/log"
            search={query({ about: formatLogSubject({ kind: 'settings', section }) })}
            size="sm"
            aria-describedby={`setting-${section}`}
          >
            {t('Change history')}
          </Anchor>
        )}
      </Group>
      <form onSubmit={submit} noValidate>
        <Stack gap="md" className={styles['options'] ?? ''}>
          <OptionControls keys={[...toggles, ...fields]} stored={stored} edit={edit} />
          {ratios.length > 0 && (
            <RawRatios isOpen={isEdited || ratios.some((key) => key === option)}>
              <OptionControls keys={ratios} stored={stored} edit={edit} />
            </RawRatios>
          )}
        </Stack>
        {/* Enter in a field saves; the visible button is in the bar. */}
        <button type="submit" hidden />
      </form>
      {children}
    </Paper>
  );
}

interface RawRatiosProps {
  /** True if one of them has unsaved changes or matches the search. */
  readonly isOpen: boolean;
  readonly children: ReactNode;
}

/** Raw ratios, collapsed by default. Prices in dollars are on a separate page. */
function RawRatios({ isOpen, children }: RawRatiosProps) {
  const { t } = useTranslation();
  return (
    <div>
      <Text size="sm" mb="sm">
        <Anchor component={Link} to="/prices" inherit>
          {t('Set prices in dollars on the Prices page')}
        </Anchor>
      </Text>
      <details className={styles['advanced']} open={isOpen}>
        <summary>{t('Advanced: ratios as JSON')}</summary>
        <Stack gap="md" mt="md">
          {children}
        </Stack>
      </details>
    </div>
  );
}
