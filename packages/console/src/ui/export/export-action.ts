import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/translate.ts';
import { exportList, type RequestFile, useExports } from '../../lib/api/exports.ts';
import type { RowAction } from '../list/column.ts';

/** Exports the selected rows. */
export function useExportAction(list: string, ask: () => RequestFile): RowAction {
  const { t } = useTranslation();
  return {
    label: t('Export'),
    icon: IconDownload,
    isDisabled: useExports().running !== undefined,
    onClick: () => void exportList(list, 'csv', ask()),
  };
}
