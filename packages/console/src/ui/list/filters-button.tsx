import { Badge, Button } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/translate.ts';
import styles from './list.module.css';

/** Whether the filters are shown. */
export interface Fold {
  readonly isUnfolded: boolean;
  readonly setUnfolded: (isUnfolded: boolean) => void;
}

interface FiltersButtonProps {
  readonly fold: Fold;
  readonly isActive: boolean;
  /** Number of active filters. */
  readonly count?: number;
}

/** Shows and hides the filters. */
export function FiltersButton({ fold: { isUnfolded, setUnfolded }, isActive, count = 0 }: FiltersButtonProps) {
  const { t } = useTranslation();
  return (
    <Button
      variant={isActive ? 'light' : 'default'}
      px="sm"
      leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
      {...(count > 0 && { rightSection: <Badge circle>{count}</Badge> })}
      aria-expanded={isUnfolded}
      onClick={() => setUnfolded(!isUnfolded)}
    >
      <span className={styles['filtersLabel']}>{t('Filters')}</span>
    </Button>
  );
}
