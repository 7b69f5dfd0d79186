import { Button, Group, Paper, Text } from '@mantine/core';
import { useTranslation } from '../../../i18n/translate.ts';
import styles from '../setting.module.css';
import type { OptionEdit } from './option-edit.ts';

/** Sticky bar with the number and sections of unsaved changes, and buttons to save or discard them. */
export function OptionSaveBar({ edit }: { readonly edit: OptionEdit }) {
  const { t } = useTranslation();
  const count = edit.changed.length;
  if (count === 0) return null;
  return (
    <Paper
      withBorder
      shadow="md"
      className={styles['bar'] ?? ''}
      component="section"
      aria-label={t('Unsaved changes')}
      role="region"
    >
      <Group justify="space-between" gap="sm">
        <div className={styles['what']} role="status">
          <Text fw={600}>{t('{count} unsaved changes', { count })}</Text>
          <Text size="xs" c="dimmed" truncate>
            {edit.sections.join(' · ')}
          </Text>
        </div>
        <Group gap="xs" wrap="nowrap">
          <Button variant="default" disabled={edit.isSaving} onClick={edit.discard}>
            {t('Discard')}
          </Button>
          <Button loading={edit.isSaving} onClick={edit.save}>
            {t('Save changes')}
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}
