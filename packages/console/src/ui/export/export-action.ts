import { IconDownload } from '@tabler/icons-react';
import { useWords } from '../../i18n/translate.ts';
import { type AskForFile, exportList, useExports } from '../../lib/api/exports.ts';
import type { RowAction } from '../list/column.ts';

/** Exports the selected rows. */
export function useExportAction(list: string, ask: () => AskForFile): RowAction {
  const { t } = useWords();
  return {
    label: t('Export'),
    icon: IconDownload,
    isDisabled: useExports().running !== undefined,
    onClick: () => void exportList(list, 'csv', ask()),
  };
}
