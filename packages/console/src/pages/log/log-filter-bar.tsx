import { Badge, Button } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import { ViewsSlot } from '../../ui/list/views-slot.tsx';
import { useLogDraft } from './log-draft.tsx';
import { LogFields } from './log-fields.tsx';
import styles from './log-filter-bar.module.css';
import type { LogFilterControl } from './log-filter-state.ts';
import { countFilters, type LogDraft } from './log-filters.ts';
import { logList } from './log-queries.ts';
import { LogRanges } from './log-ranges.tsx';
import { ReasonSelect, TypeSelect } from './log-selects.tsx';

interface LogFilterBarProps {
  readonly control: LogFilterControl;
  readonly isAdmin: boolean;
  /** Additional buttons at the end. */
  readonly children: ReactNode;
}

/** Most used filters of admins and users. */
const usualFields = (isAdmin: boolean): readonly (keyof LogDraft)[] => [
  'model_name',
  isAdmin ? 'username' : 'token_name',
];

/**
 * One row with the most used filters; the others can be expanded. Texts apply with the query button, the type
 * immediately.
 */
export function LogFilterBar(props: LogFilterBarProps) {
  const { query, hasErrors } = useLogDraft();
  const isPhone = useIsPhone();
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
      {isPhone ? <PhoneRow {...props} fold={fold} /> : <Row {...props} fold={fold} />}
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

function Row({ control, isAdmin, children, fold }: RowProps) {
  const { t } = useTranslation();
  const usual = usualFields(isAdmin);
  return (
    <>
      <div className={styles['row']}>
        <TypeSelect control={control} />
        <ReasonSelect control={control} />
        <LogFields isAdmin={isAdmin} isCompact has={(name) => usual.includes(name)} />
        <Button type="submit" variant="light">
          {t('Apply filters')}
        </Button>
        <FoldButton control={control} seen={usual} fold={fold} />
        <div className={styles['end']}>
          <ViewsSlot list={logList} />
          {children}
        </div>
      </div>
      {fold.isUnfolded && (
        <div className={styles['more']} id={fold.panel}>
          <LogFields isAdmin={isAdmin} has={(name) => !usual.includes(name)} />
        </div>
      )}
    </>
  );
}

function PhoneRow({ control, isAdmin, children, fold }: RowProps) {
  const { t } = useTranslation();
  return (
    <>
      <div className={styles['row']}>
        <FoldButton control={control} seen={[]} fold={fold} />
        <TypeSelect control={control} />
        <ReasonSelect control={control} />
      </div>
      {fold.isUnfolded && (
        <div className={styles['more']} id={fold.panel}>
          <LogFields isAdmin={isAdmin} has={() => true} />
          <LogRanges control={control} />
          <div className={styles['buttons']}>
            <ViewsSlot list={logList} />
            {children}
            <Button type="submit">{t('Apply filters')}</Button>
          </div>
        </div>
      )}
    </>
  );
}

interface FoldButtonProps extends Pick<RowProps, 'control' | 'fold'> {
  /** Fields that are always visible. */
  readonly seen: readonly string[];
}

function FoldButton({ control, seen, fold }: FoldButtonProps) {
  const { t } = useTranslation();
  const count = countFilters(control.filters, ['type', 'reason', 'about', ...seen]);
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
