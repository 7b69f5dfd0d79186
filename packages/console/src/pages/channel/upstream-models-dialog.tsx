import { Button, Group, Modal, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { LoadFailed } from '../../ui/load-failed.tsx';
import { type UpstreamModelsInput, upstreamModelsQuery } from './channel-queries.ts';
import styles from './upstream-models.module.css';
import { matchingModels, type UpstreamModelChoice, upstreamModelChoices } from './upstream-models.ts';

interface UpstreamModelsDialogProps {
  readonly question: UpstreamModelsInput;
  /** Models that the channel already has. */
  readonly present: readonly string[];
  readonly onAdd: (names: readonly string[]) => void;
  /** Called after the closing animation. */
  readonly onClosed: () => void;
}

/** Models offered by the provider, to add to the channel. */
export function UpstreamModelsDialog({ question, present, onAdd, onClosed }: UpstreamModelsDialogProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(true);
  const { data, error, isFetching, refetch } = useQuery(upstreamModelsQuery(question));
  const close = () => setOpen(false);
  const add = (names: readonly string[]) => {
    onAdd(names);
    close();
  };
  return (
    <Modal opened={isOpen} onClose={close} onExitTransitionEnd={onClosed} title={t('Provider models')} size="lg">
      {error && !isFetching && (
        <LoadFailed title={t('The models could not be fetched')} error={error} onRetry={refetch} />
      )}
      {isFetching && <LoadingModels />}
      {data && !isFetching && <Choice models={upstreamModelChoices(data, present)} onAdd={add} onCancel={close} />}
    </Modal>
  );
}

const rows = [70, 55, 62, 48, 66];

function LoadingModels() {
  const { t } = useTranslation();
  return (
    <Stack gap="sm" role="status" aria-label={t('Fetching models from the provider…')}>
      <Skeleton height={36} />
      {rows.map((width) => (
        <Skeleton key={width} height={20} width={`${width}%`} />
      ))}
    </Stack>
  );
}

interface ChoiceProps {
  readonly models: readonly UpstreamModelChoice[];
  readonly onAdd: (names: readonly string[]) => void;
  readonly onCancel: () => void;
}

function Choice({ models, onAdd, onCancel }: ChoiceProps) {
  const { t } = useTranslation();
  const [keyword, setKeyword] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const shown = matchingModels(models, keyword);
  const toggle = (names: readonly string[], isWanted: boolean) =>
    setChosen(
      (before) => new Set(isWanted ? [...before, ...names] : [...before].filter((name) => !names.includes(name))),
    );
  if (models.length === 0) return <Text c="dimmed">{t('The provider returned no models')}</Text>;
  return (
    <Stack gap="sm">
      <TextInput
        type="search"
        aria-label={t('Search models')}
        placeholder={t('Search models')}
        leftSection={<IconSearch size={16} aria-hidden />}
        data-autofocus
        value={keyword}
        onChange={(event) => setKeyword(event.currentTarget.value)}
      />
      <SelectAll shown={shown} chosen={chosen} onToggle={toggle} />
      <ul className={styles['list']}>
        {shown.map((model) => (
          <Row key={model.name} model={model} isChosen={chosen.has(model.name)} onToggle={toggle} />
        ))}
      </ul>
      {shown.length === 0 && <Text c="dimmed">{t('No matching models')}</Text>}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onCancel}>
          {t('Cancel')}
        </Button>
        <Button disabled={chosen.size === 0} onClick={() => onAdd([...chosen])}>
          {t('Add selected models')}
        </Button>
      </Group>
    </Stack>
  );
}

type Toggle = (names: readonly string[], isWanted: boolean) => void;

interface SelectAllProps {
  readonly shown: readonly UpstreamModelChoice[];
  readonly chosen: ReadonlySet<string>;
  readonly onToggle: Toggle;
}

/** Selects all visible new models, or none. */
function SelectAll({ shown, chosen, onToggle }: SelectAllProps) {
  const { t } = useTranslation();
  const fresh = shown.filter(({ isPresent }) => !isPresent).map(({ name }) => name);
  const count = fresh.filter((name) => chosen.has(name)).length;
  const isAll = fresh.length > 0 && count === fresh.length;
  return (
    <label className={styles['all']}>
      <input
        type="checkbox"
        disabled={fresh.length === 0}
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && !isAll;
        }}
        onChange={() => onToggle(fresh, !isAll)}
      />
      {t('Select all')}
      <span className={styles['count']} aria-live="polite">
        {t('{count} new, {chosen} selected', { count: fresh.length, chosen: chosen.size })}
      </span>
    </label>
  );
}

interface RowProps {
  readonly model: UpstreamModelChoice;
  readonly isChosen: boolean;
  readonly onToggle: Toggle;
}

function Row({ model: { name, isPresent }, isChosen, onToggle }: RowProps) {
  const { t } = useTranslation();
  return (
    <li>
      <label className={styles['row']} data-present={isPresent || undefined}>
        <input
          type="checkbox"
          disabled={isPresent}
          checked={isPresent || isChosen}
          onChange={(event) => onToggle([name], event.currentTarget.checked)}
        />
        <span className={styles['name']}>{name}</span>
        {isPresent && <span className={styles['count']}>{t('already added')}</span>}
      </label>
    </li>
  );
}
