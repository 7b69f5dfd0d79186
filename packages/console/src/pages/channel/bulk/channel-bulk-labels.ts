import { channelStatuses } from '@headgate/contract';
import { useTranslation } from '../../../i18n/translate.ts';
import type { ReportLabels } from '../../../ui/bulk/bulk-report.tsx';

/** Labels of channel fields in bulk reports. */
export function useFieldLabels(): ReportLabels {
  const { t, label } = useTranslation();
  const names: Readonly<Record<string, string>> = {
    status: t('Status'),
    priority: t('Priority'),
    weight: t('Weight'),
    group: t('Groups'),
    models: t('Models'),
    model_mapping: t('Model mapping'),
    system_prompt: t('System prompt'),
    tag: t('Tag'),
  };
  return {
    field: (name) => names[name] ?? name,
    value: (field, value) => (field === 'status' ? label(channelStatuses[Number(value)]?.label ?? value) : value),
  };
}
