import {
  type OptionFault,
  type OptionKey,
  type OptionSection,
  optionKeys,
  optionRow,
  optionSections,
  type StoredOption,
} from '@headgate/contract';
import { Button, Group, Paper, Stack, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useWords } from '../../../i18n/translate.ts';
import { showMessage } from '../../../lib/messages.ts';
import { OptionField } from '../fields/option-field.tsx';
import { changedOptions, isForgotten, type Mistakes, mistakesIn, shownText } from './option-draft.ts';
import { optionsQuery, saveOption } from './option-queries.ts';
import { OptionToggle } from './option-toggle.tsx';

interface OptionSectionFormProps {
  readonly section: OptionSection;
  readonly stored: ReadonlyMap<string, StoredOption>;
  readonly children?: ReactNode;
}

/** One section of the options: switches act at once, the other fields are saved together, only those that changed. */
export function OptionSectionForm({ section, stored, children }: OptionSectionFormProps) {
  const { t, label } = useWords();
  const keys = optionKeys.filter((key) => optionRow(key).section === section);
  const toggles = keys.filter((key) => optionRow(key).control === 'toggle');
  const fields = keys.filter((key) => optionRow(key).control !== 'toggle');
  const [draft, setDraft] = useState<Readonly<Partial<Record<OptionKey, string>>>>({});
  const [mistakes, setMistakes] = useState<Mistakes>({});
  const save = useSave(() => setDraft({}));
  const changed = changedOptions(draft, stored);
  const tell = (key: OptionKey, { words, values }: OptionFault) =>
    t(words, { ...values, label: label(optionRow(key).label) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = mistakesIn(changed);
    setMistakes(found);
    for (const [key, fault] of Object.entries(found)) showMessage('warning', tell(key as OptionKey, fault));
    if (changed.length > 0 && Object.keys(found).length === 0) save.mutate(changed);
  };
  return (
    <Paper withBorder p="lg" component="section">
      <Title order={2} mb="md">
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
              text={draft[key] ?? shownText(key, stored.get(key)?.value ?? '')}
              secretState={stored.get(key)?.stored ? (isForgotten(key, changed) ? 'forgotten' : 'stored') : 'none'}
              error={mistakes[key] && tell(key, mistakes[key])}
              onChange={(text) => setDraft((now) => ({ ...now, [key]: text }))}
            />
          ))}
          {fields.length > 0 && (
            <Group justify="flex-end">
              <Button type="submit" loading={save.isPending} disabled={changed.length === 0}>
                {t('Save {section}', { section: label(optionSections[section].label) })}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
      {children}
    </Paper>
  );
}

/** One call per option, in order; what was saved before a refusal stays saved and is shown so. */
function useSave(onSaved: () => void) {
  const { t } = useWords();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (changed: ReturnType<typeof changedOptions>) => {
      for (const { key, value } of changed) await saveOption(key, value);
    },
    onSuccess: () => showMessage('success', t('Operation completed successfully')),
    onSettled: async (_, error) => {
      await queries.invalidateQueries({ queryKey: optionsQuery.queryKey });
      await queries.invalidateQueries({ queryKey: ['status'] });
      if (!error) onSaved();
    },
  });
}
