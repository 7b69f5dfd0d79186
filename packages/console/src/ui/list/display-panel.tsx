import { Button, FocusTrap, SegmentedControl, Stack, Text } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import { type Density, useColumnChoices, useDensity } from '../../lib/list/list-display.ts';
import { useIsWide } from '../../lib/page/phone.ts';
import styles from './display-panel.module.css';
import { type ColumnName, visibleColumns } from './table-columns.ts';

interface DisplayPanelProps {
  readonly list: string;
  readonly columns: readonly ColumnName[];
}

/** Row density and columns. Loaded late, so it focuses itself. */
export function DisplayPanel({ list, columns }: DisplayPanelProps) {
  const { t } = useTranslation();
  const [density, setDensity] = useDensity();
  return (
    <FocusTrap active>
      <Stack gap="sm">
        <SegmentedControl
          size="xs"
          aria-label={t('Density')}
          value={density}
          onChange={(value) => setDensity(value as Density)}
          data={[
            { value: 'comfortable', label: t('Comfortable') },
            { value: 'compact', label: t('Compact') },
          ]}
        />
        <ColumnChoice list={list} columns={columns} />
      </Stack>
    </FocusTrap>
  );
}

function ColumnChoice({ list, columns }: DisplayPanelProps) {
  const { t } = useTranslation();
  const [choices, setChoices] = useColumnChoices(list);
  const isWide = useIsWide();
  const shown = new Set(visibleColumns(columns, choices, isWide).map(({ id }) => id));
  return (
    <fieldset className={styles['columns']}>
      <Text component="legend" size="xs" fw={600} c="dimmed">
        {t('Columns')}
      </Text>
      {columns.map(({ id, title }) => (
        <label key={id} className={styles['column']}>
          <input
            type="checkbox"
            checked={shown.has(id)}
            // The last column cannot be hidden.
            disabled={shown.has(id) && shown.size === 1}
            onChange={(event) => setChoices({ ...choices, [id]: event.currentTarget.checked })}
          />
          {title}
        </label>
      ))}
      {Object.keys(choices).length > 0 && (
        <Button size="compact-sm" variant="subtle" mt={4} onClick={() => setChoices(undefined)}>
          {t('Default columns')}
        </Button>
      )}
    </fieldset>
  );
}
