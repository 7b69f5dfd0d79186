import type { ExportFormat } from '@headgate/contract';
import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/translate.ts';
import { exportList, type RequestFile, useExports } from '../../lib/api/exports.ts';
import styles from './export.module.css';

export interface ExportButtonProps {
  readonly list: string;
  readonly isEmpty: boolean;
  readonly ask: RequestFile;
}

/** Exports the filtered rows. One export at a time. */
export function ExportButton({ list, isEmpty, ask }: ExportButtonProps) {
  const { t } = useTranslation();
  const isDisabled = useExports().running !== undefined || isEmpty;
  const start = (format: ExportFormat) => void exportList(list, format, ask);
  return (
    <div className={styles['buttons']}>
      <Button
        variant="default"
        px="sm"
        className={styles['main'] ?? ''}
        leftSection={<IconDownload size={16} aria-hidden />}
        disabled={isDisabled}
        onClick={() => start('csv')}
      >
        {t('Export CSV')}
      </Button>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon
            variant="default"
            size={36}
            className={styles['more'] ?? ''}
            aria-label={t('Other formats')}
            disabled={isDisabled}
          >
            <IconChevronDown size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => start('jsonl')}>{t('Export JSONL')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
