import { Box, Button, Text } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from '../../i18n/translate.ts';
import { copyWithMessage } from '../copy-with-message.ts';
import type { Snippet } from './snippet.ts';
import styles from './use-with.module.css';

interface SnippetBlockProps {
  /** Copied text. */
  readonly snippet: Snippet;
  /** Displayed text, with the key masked or not. */
  readonly shown: string;
  readonly onReveal: () => void;
}

/** A snippet to copy, with its destination. */
export function SnippetBlock({ snippet, shown, onReveal }: SnippetBlockProps) {
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
