import { ActionIcon, Anchor, Button, Menu, Text } from '@mantine/core';
import { IconChevronDown, IconX } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { type ManageableKind, useManaged } from '../../lib/page/managed.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import type { RowAction } from './column.ts';
import { MenuAction } from './row-actions.tsx';
import styles from './selection.module.css';
import { type Selection, useSelected } from './selection.ts';

/** Actions with their own button; the others are in a menu. */
const maxButtons = 4;

interface SelectionBarProps {
  readonly actions: readonly RowAction[];
  /** Kind of the rows in the configuration file. */
  readonly managed?: ManageableKind | undefined;
}

/** Actions for the selected rows. Floats above the page, so that rows do not move. */
export function SelectionBar({ actions, managed }: SelectionBarProps) {
  const { t } = useTranslation();
  const selection = useSelected();
  const isPhone = useIsPhone();
  if (!selection) return null;
  const visibleActions = isPhone ? [] : actions.slice(0, maxButtons);
  const inMenu = actions.slice(visibleActions.length);
  return (
    <div className={styles['place']}>
      <div
        role="toolbar"
        aria-label={t('Actions for selected rows')}
        data-selection-bar
        className={styles['bar']}
        onKeyDown={(event) => event.key === 'Escape' && selection.clear()}
      >
        <Selected selection={selection} managed={managed} />
        {visibleActions.map((action) => (
          <BarAction key={action.label} action={action} />
        ))}
        {inMenu.length > 0 && (
          <Menu position="top-end" shadow="md" withinPortal withInitialFocusPlaceholder={false}>
            <Menu.Target>
              <Button
                size="xs"
                variant={isPhone ? 'filled' : 'default'}
                rightSection={<IconChevronDown size={14} aria-hidden />}
              >
                {isPhone ? t('Actions') : t('More')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {inMenu.map((action) => (
                <MenuAction key={action.label} action={action} />
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('Clear selection')}
          title={t('Clear selection')}
          onClick={selection.clear}
        >
          <IconX size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      </div>
    </div>
  );
}

interface SelectedProps extends Pick<SelectionBarProps, 'managed'> {
  readonly selection: Selection;
}

function Selected({ selection, managed }: SelectedProps) {
  const { t } = useTranslation();
  const kept = selection.ids.filter(useManaged(managed)).length;
  const { count, total, isEverything, page, has, selectEverything } = selection;
  const mayGrow = !isEverything && total !== undefined && total > count && page.every(has);
  return (
    <div className={styles['words']}>
      <Text span size="sm" fw={600} aria-live="polite">
        {isEverything
          ? t('All {count} results', { count: formatNumber(count) })
          : t('{count} selected', { count: formatNumber(count) })}
      </Text>
      {kept > 0 && (
        <Text span size="xs" c="dimmed">
          {t('{count} managed by file', { count: formatNumber(kept) })}
        </Text>
      )}
      {mayGrow && (
        <Anchor component="button" type="button" size="sm" onClick={selectEverything}>
          {t('Select all {count} results', { count: formatNumber(total) })}
        </Anchor>
      )}
    </div>
  );
}

function BarAction({ action }: { readonly action: RowAction }) {
  const { label, icon: Icon, onClick, isDanger, isDisabled = false, isBusy = false } = action;
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon size={14} stroke={1.6} aria-hidden />}
      disabled={isDisabled}
      loading={isBusy}
      {...(isDanger && { color: 'red' })}
      onClick={() => onClick?.()}
    >
      {label}
    </Button>
  );
}
