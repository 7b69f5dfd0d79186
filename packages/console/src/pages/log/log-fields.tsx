import { searchableFields, searchableFieldsIn } from '@headgate/contract';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import { useStatus } from '../../lib/page/status.ts';
import { useLogDraft } from './log-draft.tsx';
import { type LogDraft, toggleContains } from './log-filters.ts';
import type { SuggestedField } from './log-queries.ts';
import { SuggestField } from './suggest-field.tsx';

type FieldName = Exclude<keyof LogDraft, 'contains'>;

interface Field {
  readonly name: FieldName;
  readonly words: TextKey;
  readonly forAdmins?: true;
  /** True if only our server supports it. */
  readonly isOurs?: true;
}

const fields: readonly Field[] = [
  { name: 'token_name', words: 'Token name' },
  { name: 'model_name', words: 'Model name' },
  { name: 'start', words: 'Start time' },
  { name: 'end', words: 'End time' },
  { name: 'channel', words: 'Channel ID', forAdmins: true },
  { name: 'username', words: 'Username', forAdmins: true },
  { name: 'group', words: 'Group', forAdmins: true },
  { name: 'request_id', words: 'Request ID', isOurs: true },
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
    .map(({ name, words }) => (
      <SuggestField
        key={name}
        label={t(words)}
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
