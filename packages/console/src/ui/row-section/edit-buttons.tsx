import { Button } from '@mantine/core';
import { useWords } from '../../i18n/translate.ts';

interface EditButtonsProps {
  readonly name: string;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

/** What every row of a section can do; each says of what, for those who do not see the row. */
export function EditButtons({ name, onEdit, onRemove }: EditButtonsProps) {
  const { t } = useWords();
  return (
    <>
      <Button size="xs" variant="default" aria-label={t('Edit {name}', { name })} onClick={onEdit}>
        {t('Edit')}
      </Button>
      <Button size="xs" variant="subtle" color="red" aria-label={t('Delete {name}', { name })} onClick={onRemove}>
        {t('Delete')}
      </Button>
    </>
  );
}
