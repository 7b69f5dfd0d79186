import { ActionIcon, Popover } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import type { ColumnName } from './table-columns.ts';

// Loaded on first use.
const DisplayPanel = lazy(async () => ({ default: (await import('./display-panel.tsx')).DisplayPanel }));

interface DisplayButtonProps {
  readonly list: string;
  readonly columns: readonly ColumnName[];
}

/** Opens the display settings of a list. */
export function DisplayButton({ list, columns }: DisplayButtonProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const buttonLabel = t('Columns and density');
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" shadow="md" withinPortal returnFocus>
      <Popover.Target>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={buttonLabel}
          title={buttonLabel}
          onClick={() => setOpen(!isOpen)}
        >
          <IconColumns3 size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={buttonLabel}>
        <Suspense>
          <DisplayPanel list={list} columns={columns} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
