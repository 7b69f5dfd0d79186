import type { Subject } from '@headgate/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { type SubjectSource, subjectNamesQuery, subjectSuggestionsQuery } from './subject-queries.ts';

/** An option of a field; `label` is shown once it is selected. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  /** Distinguishes options with the same name. */
  readonly detail: string;
}

export function useSubjectSuggestions(source: SubjectSource, typed: string, isWanted = true) {
  const { t } = useTranslation();
  const keyword = typed.trim();
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    ...subjectSuggestionsQuery(source, keyword),
    enabled: isWanted,
  });
  const nothing = error ? t('Names could not be loaded') : t('No matching names');
  return {
    // Drops outdated results, so that pressing Enter early does not select a wrong option.
    choices: (data ?? []).map(choiceOf).filter((choice) => !isPlaceholderData || matchesKeyword(choice, keyword)),
    /** Text shown if there are no options. */
    nothingWords: isFetching ? t('Searching…') : nothing,
  };
}

/** Labels for ids; deleted ones are marked. */
export function useSubjectNames(source: SubjectSource, ids: readonly number[]): readonly Choice[] {
  const { t } = useTranslation();
  const { data } = useQuery(subjectNamesQuery(source, ids));
  return ids.map((id) => {
    const found = data?.find(({ value }) => value === String(id));
    if (found) return choiceOf(found);
    const label = data ? t('#{id} (deleted)', { id }) : `#${id}`;
    return { value: String(id), label, detail: '' };
  });
}

const matchesKeyword = ({ label, detail }: Choice, keyword: string): boolean =>
  `${label} ${detail}`.toLowerCase().includes(keyword.toLowerCase());

function choiceOf({ value, name, owner }: Subject): Choice {
  const id = `#${value}`;
  if (value === name) return { value, label: name, detail: '' };
  if (owner === '') return { value, label: name || id, detail: id };
  return { value, label: `${name || id} (${owner})`, detail: id };
}
