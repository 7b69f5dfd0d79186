import {
  mayChangeOption,
  type OptionKey,
  type OptionSection,
  optionKeys,
  optionRow,
  optionSections,
  type StoredOption,
  subjectText,
} from '@headgate/contract';
import { Anchor, Group, Paper, Stack, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { FormEvent, ReactNode } from 'react';
import { useWords } from '../../../i18n/translate.ts';
import { query } from '../../../lib/address.ts';
import { useManaged } from '../../../lib/managed.ts';
import { currentUser } from '../../../lib/session.ts';
import { useStatus } from '../../../lib/status.ts';
import { LockedField } from '../../../ui/managed/managed.tsx';
import { OptionField } from '../fields/option-field.tsx';
import { isForgotten, shownText } from './option-draft.ts';
import type { OptionEdit } from './option-edit.ts';
import { OptionToggle } from './option-toggle.tsx';

/** Why an option is read-only for the current user; undefined: it is not. */
function useLock(): (key: OptionKey) => string | undefined {
  const { t } = useWords();
  const isManaged = useManaged('option');
  return (key) => {
    if (isManaged(key)) return t('Managed by file: it can only be changed there.');
    return mayChangeOption(currentUser(), key) ? undefined : t('Only a super admin can change this setting.');
  };
}

interface OptionSectionFormProps {
  readonly section: OptionSection;
  readonly stored: ReadonlyMap<string, StoredOption>;
  readonly edit: OptionEdit;
  readonly children?: ReactNode;
}

/** One section of the options: switches act at once, the other fields are saved together with those of all sections. */
export function OptionSectionForm({ section, stored, edit, children }: OptionSectionFormProps) {
  const { t, label } = useWords();
  const { extensions } = useStatus();
  const lockOf = useLock();
  const keys = optionKeys.filter((key) => optionRow(key).section === section);
  const toggles = keys.filter((key) => optionRow(key).control === 'toggle');
  const fields = keys.filter((key) => optionRow(key).control !== 'toggle');
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
            search={query({ about: subjectText({ kind: 'settings', section }) })}
            size="sm"
            aria-describedby={`setting-${section}`}
          >
            {t('History of changes')}
          </Anchor>
        )}
      </Group>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {toggles.map((key) => (
            <LockedField key={key} reason={lockOf(key)}>
              <OptionToggle name={key} value={stored.get(key)?.value ?? 'false'} />
            </LockedField>
          ))}
          {fields.map((key) => (
            <LockedField key={key} reason={lockOf(key)}>
              <OptionField
                name={key}
                text={edit.draft[key] ?? shownText(key, stored.get(key)?.value ?? '')}
                secretState={
                  stored.get(key)?.stored ? (isForgotten(key, edit.changed) ? 'forgotten' : 'stored') : 'none'
                }
                error={edit.mistakeOf(key)}
                onChange={(text) => edit.set(key, text)}
              />
            </LockedField>
          ))}
        </Stack>
        {/* Enter in a field saves; the button to press is that of the bar. */}
        <button type="submit" hidden />
      </form>
      {children}
    </Paper>
  );
}
