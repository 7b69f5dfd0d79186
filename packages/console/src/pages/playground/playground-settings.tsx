import type { Token } from '@headgate/contract';
import { Button, NativeSelect, Select, Textarea, TextInput } from '@mantine/core';
import { IconColumns2 } from '@tabler/icons-react';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import { isInvalidNumber, type Parameters } from './chat-request.ts';
import styles from './playground.module.css';
import { modelSlots } from './use-playground.ts';

export interface PlaygroundChoices {
  readonly tokenId: number | undefined;
  /** One model, or two side by side. */
  readonly models: readonly string[];
  readonly parameters: Parameters;
}

interface PlaygroundSettingsProps {
  readonly tokens: readonly Token[];
  /** Models that the token allows. */
  readonly offered: readonly string[];
  readonly choices: PlaygroundChoices;
  readonly change: (change: Partial<PlaygroundChoices>) => void;
}

const numbers: readonly { readonly name: 'temperature' | 'topP' | 'maxTokens'; readonly label: TextKey }[] = [
  { name: 'temperature', label: 'Temperature' },
  { name: 'topP', label: 'Top P' },
  { name: 'maxTokens', label: 'Max tokens' },
];

export function PlaygroundSettings({ tokens, offered, choices, change }: PlaygroundSettingsProps) {
  const { t } = useTranslation();
  const { models, parameters } = choices;
  const set = (name: keyof Parameters, value: string) => change({ parameters: { ...parameters, [name]: value } });
  const setModel = (position: number, model: string | null) =>
    change({ models: models.map((one, at) => (at === position ? (model ?? one) : one)) });
  return (
    <div className={styles['settings']}>
      <NativeSelect
        label={t('Token')}
        value={String(choices.tokenId ?? '')}
        data={tokens.map(({ id, name }) => ({ value: String(id), label: name }))}
        onChange={(event) => change({ tokenId: Number(event.currentTarget.value) })}
      />
      {models.map((model, position) => (
        <Select
          key={modelSlots[position]}
          label={position === 0 ? t('Model') : t('Second model')}
          data={[...offered]}
          value={model === '' ? null : model}
          searchable
          allowDeselect={false}
          nothingFoundMessage={t('No results')}
          onChange={(value) => setModel(position, value)}
        />
      ))}
      <Button
        variant="default"
        leftSection={<IconColumns2 size={16} aria-hidden />}
        onClick={() =>
          change({ models: models.length === 1 ? [...models, offered[1] ?? models[0] ?? ''] : models.slice(0, 1) })
        }
      >
        {models.length === 1 ? t('Compare two models') : t('Use one model')}
      </Button>
      <Textarea
        label={t('System prompt')}
        autosize
        minRows={2}
        maxRows={8}
        value={parameters.system}
        onChange={(event) => set('system', event.currentTarget.value)}
      />
      <div className={styles['numbers']}>
        {numbers.map(({ name, label }) => (
          <TextInput
            key={name}
            label={t(label)}
            inputMode="decimal"
            placeholder={t('default')}
            value={parameters[name]}
            error={isInvalidNumber(parameters[name]) && t('Not a number')}
            onChange={(event) => set(name, event.currentTarget.value)}
          />
        ))}
      </div>
    </div>
  );
}
