import { type OptionError, type OptionKey, optionRow, optionSections } from '@headgate/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { useUnsavedWork } from '../../../ui/unsaved-work.ts';
import { changedOptions, type OptionErrors, validateOptions } from './option-draft.ts';
import { optionsQuery, saveOption } from './option-queries.ts';

type Draft = Readonly<Partial<Record<OptionKey, string>>>;

/** Unsaved input of all option tabs, kept across tabs and saved together. */
export function useOptionEdit() {
  const { t, label } = useTranslation();
  const [draft, setDraft] = useState<Draft>({});
  const [mistakes, setMistakes] = useState<OptionErrors>({});
  // The tabs fetch the options; this only reads the cache.
  const { data: stored } = useQuery({ ...optionsQuery, enabled: false });
  const changed = stored ? changedOptions(draft, stored) : [];
  // Always the same function, so that a change renders only its own field.
  const set = useCallback((key: OptionKey, text: string) => setDraft((now) => ({ ...now, [key]: text })), []);
  const discard = () => {
    setDraft({});
    setMistakes({});
  };
  const saving = useSave(discard);
  useUnsavedWork(changed.length > 0, saving.isPending);
  const tell = (key: OptionKey, { message, values }: OptionError) =>
    t(message, { ...values, label: label(optionRow(key).label) });
  return {
    draft,
    changed,
    /** Sections with changes, in table order. */
    sections: [...new Set(changed.map(({ key }) => label(optionSections[optionRow(key).section].label)))],
    isSaving: saving.isPending,
    mistakeOf: (key: OptionKey) => mistakes[key] && tell(key, mistakes[key]),
    set,
    discard,
    save: () => {
      const found = validateOptions(changed);
      setMistakes(found);
      for (const [key, fault] of Object.entries(found)) showMessage('warning', tell(key as OptionKey, fault));
      if (changed.length > 0 && Object.keys(found).length === 0) saving.mutate(changed);
    },
  };
}

export type OptionEdit = ReturnType<typeof useOptionEdit>;

/** One call per option, in order. Options saved before an error stay saved. */
function useSave(onSaved: () => void) {
  const { t } = useTranslation();
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
