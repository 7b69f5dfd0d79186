import { ActionIcon, Group, Menu, Tooltip } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { memo, type ReactNode, useLayoutEffect, useRef } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { query } from '../../lib/page/address.ts';
import { callLatest, haveSameLook } from './action-look.ts';
import type { RowAction } from './column.ts';

interface RowActionsProps {
  readonly actions: readonly RowAction[];
  /** Name of the row, so that screen readers can distinguish the menus. */
  readonly rowName: string;
  /** Shown above the menu items. */
  readonly note?: ReactNode;
}

/** Rendered again only if the actions look different, because each change of a list creates new handlers for all rows. */
export function RowActions({ actions, ...props }: RowActionsProps) {
  const latest = useRef(actions);
  useLayoutEffect(() => {
    latest.current = actions;
  });
  return <ShownActions actions={callLatest(actions, () => latest.current)} {...props} />;
}

const ShownActions = memo(function ShownActions({ actions, rowName, note }: RowActionsProps) {
  const { t } = useTranslation();
  const primary = actions.find(({ isPrimary }) => isPrimary);
  const others = actions.filter((action) => action !== primary);
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {primary && <PrimaryAction action={primary} rowName={rowName} />}
      {others.length > 0 && (
        <Menu position="bottom-end" shadow="md" withinPortal withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={t('More actions for {name}', { name: rowName })}
            >
              <IconDots size={18} stroke={1.6} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {note}
            {others.map((action) => (
              <MenuAction key={action.label} action={action} />
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  );
}, hasSameLook);

function hasSameLook(before: RowActionsProps, after: RowActionsProps): boolean {
  return before.rowName === after.rowName && before.note === after.note && haveSameLook(before.actions, after.actions);
}

function PrimaryAction({ action, rowName }: { readonly action: RowAction; readonly rowName: string }) {
  const { label, icon: Icon, to, search, onClick, isDisabled = false, isBusy = false } = action;
  const name = `${label}: ${rowName}`;
  const shared = { variant: 'subtle', color: 'gray', size: 'lg', 'aria-label': name, disabled: isDisabled } as const;
  const icon = <Icon size={18} stroke={1.6} aria-hidden />;
  return (
    <Tooltip label={label}>
      {to ? (
        <ActionIcon component={Link} to={to} search={query(search ?? {})} {...shared}>
          {icon}
        </ActionIcon>
      ) : (
        <ActionIcon {...shared} loading={isBusy} onClick={() => onClick?.()}>
          {icon}
        </ActionIcon>
      )}
    </Tooltip>
  );
}

export function MenuAction({ action }: { readonly action: RowAction }) {
  const { label, icon: Icon, to, search, onClick, items, isDanger, isDisabled = false, isBusy = false } = action;
  const shared = {
    leftSection: <Icon size={16} stroke={1.6} aria-hidden />,
    disabled: isDisabled || isBusy,
    ...(isDanger && { color: 'var(--mantine-color-error)' }),
  };
  if (items) {
    return (
      <Menu.Sub>
        <Menu.Sub.Target>
          <Menu.Sub.Item {...shared}>{label}</Menu.Sub.Item>
        </Menu.Sub.Target>
        <Menu.Sub.Dropdown>
          {items.map((item) => (
            <MenuAction key={item.label} action={item} />
          ))}
        </Menu.Sub.Dropdown>
      </Menu.Sub>
    );
  }
  return to ? (
    <Menu.Item component={Link} to={to} search={query(search ?? {})} {...shared}>
      {label}
    </Menu.Item>
  ) : (
    <Menu.Item {...shared} onClick={() => onClick?.()}>
      {label}
    </Menu.Item>
  );
}
