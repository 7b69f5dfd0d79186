import { Box, Button, Text } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { useWords } from '../../i18n/translate.ts';
import { copyAndTell } from '../copy-and-tell.ts';
import type { Snippet } from './snippet.ts';
import styles from './use-with.module.css';

interface SnippetBlockProps {
  /** What is copied. */
  readonly snippet: Snippet;
  /** The snippet as it is shown, with its key masked or not. */
  readonly shown: string;
  readonly onReveal: () => void;
}

/** A text to be copied whole, with the place it goes to. */
export function SnippetBlock({ snippet, shown, onReveal }: SnippetBlockProps) {
  const { t, label } = useWords();
  const text = useRef<HTMLPreElement>(null);
  const place = label(snippet.place);
  // The browser would not copy: a person can, once all of it is shown and selected.
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
          onClick={() => void copyAndTell(snippet.text, select)}
        >
          {t('Copy')}
        </Button>
      </div>
      {/* In the order of the keyboard, because it may have to be scrolled. */}
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
