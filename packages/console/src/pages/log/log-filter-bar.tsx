import { Badge, Button } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import { useStatus } from '../../lib/page/status.ts';
import { ViewsSlot } from '../../ui/list/views-slot.tsx';
import { useLogDraft } from './log-draft.tsx';
import { LogFields } from './log-fields.tsx';
import styles from './log-filter-bar.module.css';
import type { LogFilterControl } from './log-filter-state.ts';
import { countFilters } from './log-filters.ts';
import { logList } from './log-queries.ts';
import { LogRange } from './log-range.tsx';
import { LogSearchBox } from './log-search-box.tsx';
import { ReasonSelect, TypeSelect } from './log-selects.tsx';

interface LogFilterBarProps {
  readonly control: LogFilterControl;
  readonly isAdmin: boolean;
  /** Live view switch; absent if a live view is not possible. */
  readonly live: ReactNode;
  /** Additional buttons at the end. */
  readonly children: ReactNode;
}

/** Search, time range and live view in one row; all filters can be expanded. They apply while typing. */
export function LogFilterBar(props: LogFilterBarProps) {
  const { query, hasErrors } = useLogDraft();
  const panel = useId();
  const [isWanted, setWanted] = useState(false);
  // Invalid fields are never hidden.
  const isUnfolded = isWanted || hasErrors;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    query();
  };
  const fold = { isUnfolded, panel, toggle: () => setWanted(!isUnfolded) };
  return (
    <form className={styles['filters']} onSubmit={submit} noValidate>
      <Row {...props} fold={fold} />
    </form>
  );
}

interface Fold {
  readonly isUnfolded: boolean;
  /** Id of the expandable panel. */
  readonly panel: string;
  readonly toggle: () => void;
}

type RowProps = LogFilterBarProps & { readonly fold: Fold };

function Row({ control, isAdmin, live, children, fold }: RowProps) {
  const { extensions } = useStatus();
  const isPhone = useIsPhone();
  const others = (
    <>
      <ViewsSlot list={logList} />
      {children}
    </>
  );
  return (
    <>
      <div className={styles['row']}>
        {extensions && <LogSearchBox control={control} isAdmin={isAdmin} />}
        <LogRange control={control} />
        <FoldButton control={control} fold={fold} />
        {live}
        {!isPhone && <div className={styles['end']}>{others}</div>}
      </div>
      {fold.isUnfolded && (
        <div className={styles['more']} id={fold.panel}>
          <TypeSelect control={control} />
          <ReasonSelect control={control} />
          <LogFields isAdmin={isAdmin} has={() => true} />
          {isPhone && <div className={styles['buttons']}>{others}</div>}
          {/* Enter in a field applies the texts immediately. */}
          <button type="submit" hidden />
        </div>
      )}
    </>
  );
}

/** Filters that are visible outside the panel. */
const seen: readonly string[] = [
  'view',
  'type',
  'reason',
  'start',
  'end',
  'about',
  'before',
  'text',
  'status',
  'channel_name',
];

function FoldButton({ control, fold }: Pick<RowProps, 'control' | 'fold'>) {
  const { t } = useTranslation();
  const count = countFilters(control.filters, seen);
  return (
    <Button
      variant={fold.isUnfolded || count > 0 ? 'light' : 'default'}
      px="sm"
      leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
      {...(count > 0 && { rightSection: <Badge circle>{count}</Badge> })}
      aria-expanded={fold.isUnfolded}
      {...(fold.isUnfolded && { 'aria-controls': fold.panel })}
      onClick={fold.toggle}
    >
      {t('Filters')}
    </Button>
  );
}
