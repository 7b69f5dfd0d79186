import { Button } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';

interface EditButtonsProps {
  readonly name: string;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
  /** True if managed by the configuration file: read-only. */
  readonly isManaged?: boolean;
}

/** Edit and delete buttons of a row, with the row name for screen readers. */
export function EditButtons({ name, onEdit, onRemove, isManaged = false }: EditButtonsProps) {
  const { t } = useTranslation();
  if (isManaged)
    return (
      <Button size="xs" variant="default" aria-label={t('View settings of {name}', { name })} onClick={onEdit}>
        {t('View settings')}
      </Button>
    );
  return (
    <>
      <Button size="xs" variant="default" aria-label={t('Edit {name}', { name })} onClick={onEdit}>
        {t('Edit')}
      </Button>
      <Button
        size="xs"
        variant="subtle"
        color="red"
        c="var(--mantine-color-error)"
        aria-label={t('Delete {name}', { name })}
        onClick={onRemove}
      >
        {t('Delete')}
      </Button>
    </>
  );
}
