import { Box, Button, Stack, Tabs, Text } from '@mantine/core';
import { IconCopy, IconEye, IconEyeOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from '../../i18n/translate.ts';
import { availableModelsQuery } from '../../lib/page/available-models.ts';
import { useServerAddress } from '../../lib/page/status.ts';
import { copyWithMessage } from '../copy-with-message.ts';
import { type Snippet, type SnippetClient, snippetsOf } from './snippet.ts';
import { snippetClients } from './snippet-clients.ts';
import styles from './use-with.module.css';

export interface ClientSetupProps {
  /** Key with its prefix; a placeholder is shown without one. */
  readonly apiKey?: string;
  /** True if the key is initially visible. */
  readonly isShown?: boolean;
  /** Models to which the key is limited; absent or empty for all models of the user. */
  readonly models?: readonly string[];
  /** Program that is shown first. */
  readonly client?: string;
}

const keyPlaceholder = 'sk-your-key';

/** Setup snippets of each program. */
export function ClientSetupPanel({ apiKey, isShown = false, models = [], client }: ClientSetupProps) {
  const { t } = useTranslation();
  const [isRevealed, setRevealed] = useState(isShown);
  return (
    <Tabs defaultValue={client ?? snippetClients[0]?.id ?? ''} variant="pills" keepMounted={false}>
      <Tabs.List mb="md" aria-label={t('Clients')}>
        {snippetClients.map(({ id, name }) => (
          <Tabs.Tab key={id} value={id} className={styles['tab'] ?? ''}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippetClients.map((client) => (
        <Tabs.Panel key={client.id} value={client.id}>
          <Stack gap="sm">
            <Parts
              client={client}
              apiKey={apiKey}
              models={models}
              isRevealed={isRevealed}
              onReveal={() => setRevealed(true)}
            />
            {apiKey === undefined ? (
              <Text size="sm" c="dimmed">
                {t('Replace {placeholder} with the key of a token.', { placeholder: keyPlaceholder })}
              </Text>
            ) : (
              <RevealButton isRevealed={isRevealed} onClick={() => setRevealed(!isRevealed)} />
            )}
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

interface PartsProps {
  readonly client: SnippetClient;
  readonly apiKey: string | undefined;
  readonly models: readonly string[];
  readonly isRevealed: boolean;
  readonly onReveal: () => void;
}

function Parts({ client, apiKey = keyPlaceholder, models, isRevealed, onReveal }: PartsProps) {
  const { t } = useTranslation();
  const address = useServerAddress();
  const { data: available = [] } = useQuery({
    ...availableModelsQuery,
    enabled: models.length === 0,
    retry: false,
    meta: { quiet: true },
  });
  const values = { address, models: models.length > 0 ? models : available };
  const isMasked = apiKey !== keyPlaceholder && !isRevealed;
  const shown = snippetsOf(client, { ...values, key: isMasked ? masked(apiKey) : apiKey });
  return (
    <>
      {client.note && <Text size="sm">{t(client.note)}</Text>}
      {snippetsOf(client, { ...values, key: apiKey }).map((snippet, index) => (
        <SnippetBlock
          key={snippet.place}
          snippet={snippet}
          shown={shown[index]?.text ?? snippet.text}
          onReveal={onReveal}
        />
      ))}
    </>
  );
}

const masked = (key: string): string => `${key.slice(0, 5)}…${key.slice(-4)}`;

interface RevealButtonProps {
  readonly isRevealed: boolean;
  readonly onClick: () => void;
}

function RevealButton({ isRevealed, onClick }: RevealButtonProps) {
  const { t } = useTranslation();
  const Icon = isRevealed ? IconEyeOff : IconEye;
  return (
    <div>
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        leftSection={<Icon size={16} stroke={1.6} aria-hidden />}
        onClick={onClick}
      >
        {isRevealed ? t('Hide key') : t('Show key')}
      </Button>
    </div>
  );
}

interface SnippetBlockProps {
  /** Copied text. */
  readonly snippet: Snippet;
  /** Displayed text, with the key masked or not. */
  readonly shown: string;
  readonly onReveal: () => void;
}

/** A snippet to copy, with its destination. */
function SnippetBlock({ snippet, shown, onReveal }: SnippetBlockProps) {
  const { t, label } = useTranslation();
  const text = useRef<HTMLPreElement>(null);
  const place = label(snippet.place);
  // If the browser refuses to copy, reveals and selects the text.
  const select = () => {
    flushSync(onReveal);
    if (text.current) window.getSelection()?.selectAllChildren(text.current);
  };
  return (
    <div className={styles['part']}>
      <div className={styles['head']}>
        <Text size="xs" c="dimmed" className={styles['place'] ?? ''}>
          {place}
        </Text>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconCopy size={14} stroke={1.6} aria-hidden />}
          aria-label={`${t('Copy')}: ${place}`}
          onClick={() => void copyWithMessage(snippet.text, select)}
        >
          {t('Copy')}
        </Button>
      </div>
      {/* Focusable, because it may scroll. */}
      <Box
        component="pre"
        ref={text}
        className={styles['text'] ?? ''}
        tabIndex={0}
        role="group"
        aria-label={place}
        translate="no"
      >
        {shown}
      </Box>
    </div>
  );
}
