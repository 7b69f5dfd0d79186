import type { ExportFormat } from '@headgate/contract';
import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/translate.ts';
import { exportList, useExports } from '../../lib/api/exports.ts';
import type { ExportButtonProps } from './export-button.tsx';

/** Exports the filtered rows; a small button for lists that are rarely exported. */
export function ExportMenu({ list, isEmpty, ask }: ExportButtonProps) {
  const { t } = useTranslation();
  const isDisabled = useExports().running !== undefined || isEmpty;
  const start = (format: ExportFormat) => void exportList(list, format, ask);
  return (
    <Menu position="bottom-end" shadow="md" withinPortal>
      <Menu.Target>
        <Tooltip label={t('Export')}>
          <ActionIcon variant="default" size={36} aria-label={t('Export')} disabled={isDisabled}>
            <IconDownload size={18} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => start('csv')}>{t('Export CSV')}</Menu.Item>
        <Menu.Item onClick={() => start('jsonl')}>{t('Export JSONL')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
