import { type OptionSection, optionKeys, optionRow, optionSections, type StoredOption } from '@headgate/contract';
import { Paper, Stack, Title } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useWords } from '../../../i18n/translate.ts';
import { OptionField } from '../fields/option-field.tsx';
import { isForgotten, shownText } from './option-draft.ts';
import type { OptionEdit } from './option-edit.ts';
import { OptionToggle } from './option-toggle.tsx';

interface OptionSectionFormProps {
  readonly section: OptionSection;
  readonly stored: ReadonlyMap<string, StoredOption>;
  readonly edit: OptionEdit;
  readonly children?: ReactNode;
}

/** One section of the options: switches act at once, the other fields are saved together with those of all sections. */
export function OptionSectionForm({ section, stored, edit, children }: OptionSectionFormProps) {
  const { label } = useWords();
  const keys = optionKeys.filter((key) => optionRow(key).section === section);
  const toggles = keys.filter((key) => optionRow(key).control === 'toggle');
  const fields = keys.filter((key) => optionRow(key).control !== 'toggle');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    edit.save();
  };
  return (
    <Paper withBorder p="lg" component="section">
      <Title order={2} mb="md" id={`setting-${section}`}>
        {label(optionSections[section].label)}
      </Title>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {toggles.map((key) => (
            <OptionToggle key={key} name={key} value={stored.get(key)?.value ?? 'false'} />
          ))}
          {fields.map((key) => (
            <OptionField
              key={key}
              name={key}
              text={edit.draft[key] ?? shownText(key, stored.get(key)?.value ?? '')}
              secretState={stored.get(key)?.stored ? (isForgotten(key, edit.changed) ? 'forgotten' : 'stored') : 'none'}
              error={edit.mistakeOf(key)}
              onChange={(text) => edit.set(key, text)}
            />
          ))}
        </Stack>
        {/* Enter in a field saves; the button to press is that of the bar. */}
        <button type="submit" hidden />
      </form>
      {children}
    </Paper>
  );
}
