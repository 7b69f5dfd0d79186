import { searchableFields, searchableFieldsIn } from '@headgate/contract';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import { useStatus } from '../../lib/page/status.ts';
import { AutocompleteField } from '../../ui/log-suggestions/autocomplete-field.tsx';
import type { SuggestedField } from '../../ui/log-suggestions/suggestions.ts';
import { useLogDraft } from './log-draft.tsx';
import { type LogDraft, toggleContains } from './log-filters.ts';

type FieldName = Exclude<keyof LogDraft, 'contains'>;

interface Field {
  readonly name: FieldName;
  readonly label: TextKey;
  readonly forAdmins?: true;
  /** True if only our server supports the filter. */
  readonly isOurs?: true;
}

const fields: readonly Field[] = [
  { name: 'token_name', label: 'Token name' },
  { name: 'model_name', label: 'Model name' },
  { name: 'start', label: 'Start time' },
  { name: 'end', label: 'End time' },
  { name: 'channel', label: 'Channel ID', forAdmins: true },
  { name: 'username', label: 'Username', forAdmins: true },
  { name: 'group', label: 'Group', forAdmins: true },
  { name: 'request_id', label: 'Request ID', isOurs: true },
];

const suggested: readonly string[] = ['token_name', 'model_name', 'username', 'channel', 'group'];
const searched: readonly string[] = searchableFields;

interface LogFieldsProps {
  readonly isAdmin: boolean;
  readonly has: (name: FieldName) => boolean;
}

/** Text filters of the log. */
export function LogFields({ isAdmin, has }: LogFieldsProps) {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const { draft, errorIn, type, choose } = useLogDraft();
  const containmentOf = (name: string) => ({
    isSet: searchableFieldsIn(draft.contains).some((each) => each === name),
    toggle: () => type('contains', toggleContains(draft.contains, name)),
  });
  return fields
    .filter(({ name, forAdmins, isOurs }) => has(name) && (isAdmin || !forAdmins) && (extensions || !isOurs))
    .map(({ name, label }) => (
      <AutocompleteField
        key={name}
        label={t(label)}
        value={draft[name]}
        error={errorIn(name)}
        isNumber={name === 'channel'}
        source={extensions && suggested.includes(name) ? { field: name as SuggestedField, isAdmin } : undefined}
        containment={extensions && searched.includes(name) ? containmentOf(name) : undefined}
        onType={(text) => type(name, text)}
        onChoose={(value) => choose(name, value)}
      />
    ));
}
