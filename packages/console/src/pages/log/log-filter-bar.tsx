import { logReasons, logType, logTypes, searchedTexts, searchedTextsIn } from '@headgate/contract';
import { Button, Group, NativeSelect } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useWords, type Words } from '../../i18n/translate.ts';
import { useIsPhone } from '../../lib/phone.ts';
import { useStatus } from '../../lib/status.ts';
import styles from './log.module.css';
import { useLogDraft } from './log-draft.tsx';
import type { LogFilterControl } from './log-filter-state.ts';
import { type LogDraft, type LogFilters, toggleContains } from './log-filters.ts';
import type { SuggestedField } from './log-queries.ts';
import { LogRanges } from './log-ranges.tsx';
import { SuggestField } from './suggest-field.tsx';

interface Field {
  readonly name: Exclude<keyof LogDraft, 'contains'>;
  readonly words: Words;
  readonly forAdmins?: true;
  /** Only servers with more than the specification know it. */
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
const searched: readonly string[] = searchedTexts;

interface LogFilterBarProps {
  readonly control: LogFilterControl;
  readonly isAdmin: boolean;
  /** More buttons, beside the one that asks. */
  readonly children: ReactNode;
}

/** The filters: texts wait for the query button, the type acts at once. On a phone they unfold. */
export function LogFilterBar(props: LogFilterBarProps) {
  const isPhone = useIsPhone();
  const { query } = useLogDraft();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    query();
  };
  return (
    <form className={styles['filters']} onSubmit={submit} noValidate>
      {isPhone ? <FoldedFilters {...props} /> : <AllFilters {...props} />}
    </form>
  );
}

function AllFilters({ control, isAdmin, children }: LogFilterBarProps) {
  const { t } = useWords();
  return (
    <>
      <TextFields isAdmin={isAdmin} />
      <TypeSelect control={control} label={t('Type')} />
      <ReasonSelect control={control} label={t('Reason')} />
      <Group gap="xs" justify="flex-end" wrap="nowrap" className={styles['buttons'] ?? ''}>
        {children}
        <Button type="submit">{t('Query')}</Button>
      </Group>
    </>
  );
}

function FoldedFilters({ control, isAdmin, children }: LogFilterBarProps) {
  const { t } = useWords();
  const [isUnfolded, setUnfolded] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        aria-expanded={isUnfolded}
        onClick={() => setUnfolded(!isUnfolded)}
      >
        {t('Filters')}
      </Button>
      <TypeSelect control={control} aria-label={t('Type')} />
      <ReasonSelect control={control} aria-label={t('Reason')} />
      {isUnfolded && (
        <>
          <TextFields isAdmin={isAdmin} />
          <LogRanges control={control} />
          <Group gap="xs" justify="flex-end" wrap="nowrap" className={styles['buttons'] ?? ''}>
            {children}
            <Button type="submit">{t('Query')}</Button>
          </Group>
        </>
      )}
    </>
  );
}

function TextFields({ isAdmin }: Pick<LogFilterBarProps, 'isAdmin'>) {
  const { t } = useWords();
  const { extensions } = useStatus();
  const { draft, slipIn, type, choose } = useLogDraft();
  const containmentOf = (name: string) => ({
    isSet: searchedTextsIn(draft.contains).some((each) => each === name),
    toggle: () => type('contains', toggleContains(draft.contains, name)),
  });
  return fields
    .filter(({ forAdmins, isOurs }) => (isAdmin || !forAdmins) && (extensions || !isOurs))
    .map(({ name, words }) => (
      <SuggestField
        key={name}
        label={t(words)}
        value={draft[name]}
        error={slipIn(name)}
        isNumber={name === 'channel'}
        source={extensions && suggested.includes(name) ? { field: name as SuggestedField, isAdmin } : undefined}
        containment={extensions && searched.includes(name) ? containmentOf(name) : undefined}
        onType={(text) => type(name, text)}
        onChoose={(value) => choose(name, value)}
      />
    ));
}

interface TypeSelectProps {
  readonly control: LogFilterControl;
  readonly label?: string;
  readonly 'aria-label'?: string;
}

function TypeSelect({ control: { filters, apply }, ...naming }: TypeSelectProps) {
  const { t, label } = useWords();
  return (
    <NativeSelect
      size="sm"
      value={String(filters.type)}
      data={[
        { value: String(logType.all), label: t('All') },
        ...Object.entries(logTypes).map(([value, row]) => ({ value, label: label(row.label) })),
      ]}
      onChange={(event) => apply({ ...filters, reason: '', type: Number(event.currentTarget.value) })}
      {...naming}
    />
  );
}

/** Only for failures: nothing else has a reason. */
function ReasonSelect({ control: { filters, apply }, ...naming }: TypeSelectProps) {
  const { t, label } = useWords();
  const { extensions } = useStatus();
  if (!extensions || (filters.type !== logType.failure && filters.reason === '')) return null;
  return (
    <NativeSelect
      size="sm"
      value={filters.reason}
      data={[
        { value: '', label: t('All') },
        ...Object.entries(logReasons).map(([value, row]) => ({ value, label: label(row.label) })),
      ]}
      onChange={(event) => apply({ ...filters, reason: event.currentTarget.value as LogFilters['reason'] })}
      {...naming}
    />
  );
}
