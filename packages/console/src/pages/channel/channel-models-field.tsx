import { currentModels } from '@headgate/contract';
import { Button, Group, Stack, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { memo, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useOpenList } from '../../ui/form/open-list.ts';
import styles from './channel.module.css';
import { knownModelsQuery, modelsByTypeQuery } from './channel-queries.ts';
import { ModelPill } from './model-pill.tsx';
import { UnpricedModels } from './unpriced-models.tsx';

interface ChannelModelsFieldProps {
  readonly type: number;
  readonly value: readonly string[];
  /** Accepts the models or an updater function. */
  readonly onChange: (models: string[] | ((before: readonly string[]) => string[])) => void;
  readonly error: ReactNode;
  /** Must not depend on the current render; undefined if the server cannot query providers. */
  readonly onFetch: (() => void) | undefined;
}

const separators = [',', '，', '\n', '\r'];

/** Models of a channel: selected, typed, pasted, or filled in with a button. */
export const ChannelModelsField = memo(function ChannelModelsField(props: ChannelModelsFieldProps) {
  const { type, value, onChange, error, onFetch } = props;
  const { t } = useTranslation();
  const { data: byType } = useQuery(modelsByTypeQuery);
  const { data: known = [] } = useQuery(knownModelsQuery);
  const ofType = byType?.[type] ?? [];
  const { isOpen, handlers } = useOpenList();
  const related = currentModels(ofType);
  const remove = (name: string) => onChange((before) => before.filter((other) => other !== name));
  return (
    <Stack gap={8}>
      <TagsInput
        label={t('Available models')}
        description={t('Select, type or paste names, separated by commas or line breaks.')}
        placeholder={value.length === 0 ? t('Model name') : ''}
        withAsterisk
        data-path="models"
        data={isOpen ? [...new Set([...ofType, ...known])] : []}
        {...handlers}
        value={[...value]}
        onChange={onChange}
        error={error}
        splitChars={separators}
        isDuplicate={(name, chosen) => chosen.includes(name.trim())}
        renderPill={({ option }) => <ModelPill name={String(option.value)} onRemove={remove} />}
        limit={100}
        maxDropdownHeight={280}
        classNames={{ pillsList: styles['models'] ?? '' }}
      />
      <UnpricedModels models={value} />
      <Group gap={6}>
        {onFetch && (
          <Button size="compact-sm" variant="default" onClick={onFetch}>
            {t('Fetch models')}
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="default"
          disabled={related.length === 0}
          onClick={() => onChange([...related])}
        >
          {t('Add related models')}
        </Button>
        <Button size="compact-sm" variant="default" disabled={known.length === 0} onClick={() => onChange([...known])}>
          {t('Add all models')}
        </Button>
        <Button size="compact-sm" variant="default" disabled={value.length === 0} onClick={() => onChange([])}>
          {t('Clear all')}
        </Button>
        <span className={styles['count']} aria-live="polite">
          {t('{count} selected', { count: value.length })}
        </span>
      </Group>
    </Stack>
  );
}, isSame);

/** The form creates a new list on every keystroke; hundreds of pills rerender only if the names differ. */
function isSame(before: ChannelModelsFieldProps, after: ChannelModelsFieldProps): boolean {
  return (
    before.type === after.type &&
    before.error === after.error &&
    Boolean(before.onFetch) === Boolean(after.onFetch) &&
    before.value.join('\n') === after.value.join('\n')
  );
}
