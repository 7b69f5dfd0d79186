import { ActionIcon, Button, Group, Menu, Modal, TextInput } from '@mantine/core';
import { IconBookmark, IconBookmarkFilled, IconBookmarkPlus, IconCheck, IconTrash } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { isActiveView, type ListWithViews, useSavedViews, type View } from '../../lib/list/saved-views.ts';
import { query } from '../../lib/page/address.ts';
import { useStatus } from '../../lib/page/status.ts';
import styles from './saved-views.module.css';

export interface SavedViewsProps {
  readonly list: ListWithViews;
  /** Height of neighboring controls. */
  readonly size?: 'xs' | 'sm';
}

/** Menu of saved filters and orders. */
export function SavedViews({ list, size = 'sm' }: SavedViewsProps) {
  const { t } = useTranslation();
  const { views, save, remove } = useSavedViews(list);
  const search = useSearch({ strict: false }) as View['search'];
  const navigate = useNavigate();
  const [isNaming, setNaming] = useState(false);
  const shown = views.find((view) => isActiveView(view, search));
  const Bookmark = shown ? IconBookmarkFilled : IconBookmark;
  const open = (view: View) => void navigate({ to: '.', search: query({ ...view.search }) });
  return (
    <>
      <Menu position="bottom-end" shadow="md" withinPortal withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button
            className={styles['button'] ?? ''}
            size={size}
            variant="default"
            leftSection={<Bookmark size={14} stroke={1.6} aria-hidden />}
          >
            {shown ? `${t('Views')} · ${shown.name}` : t('Views')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.map((view) => (
            <Group key={view.name} gap={0} wrap="nowrap">
              <Menu.Item
                className={styles['view'] ?? ''}
                aria-current={view === shown ? 'true' : undefined}
                rightSection={view === shown && <IconCheck size={14} stroke={1.6} aria-hidden />}
                onClick={() => open(view)}
              >
                {view.name}
              </Menu.Item>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('Delete view {name}', { name: view.name })}
                onClick={() => remove(view.name)}
              >
                <IconTrash size={14} stroke={1.6} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
          {views.length > 0 && <Menu.Divider />}
          <Menu.Item
            leftSection={<IconBookmarkPlus size={16} stroke={1.6} aria-hidden />}
            onClick={() => setNaming(true)}
          >
            {t('Save view')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <NameDialog
        isOpen={isNaming}
        onClose={() => setNaming(false)}
        onName={(name) => save({ name, search: { ...search, page: undefined } })}
      />
    </>
  );
}

interface NameDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onName: (name: string) => void;
}

function NameDialog({ isOpen, onClose, onName }: NameDialogProps) {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    onName(name.trim());
    setName('');
    onClose();
  };
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Save view')}>
      <form onSubmit={submit}>
        <TextInput
          data-autofocus
          label={t('Name')}
          description={
            extensions
              ? t('Saves the current filters and sort order to your account.')
              : t('Saves the current filters and sort order in this browser.')
          }
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" disabled={name.trim() === ''}>
            {t('Save')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
