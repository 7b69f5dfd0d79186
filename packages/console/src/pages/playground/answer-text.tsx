import { Typography } from '@mantine/core';
import { lazy, Suspense, useDeferredValue } from 'react';
import styles from './playground.module.css';

// The markdown reader and the sanitiser are fetched when there is something to read.
const CleanHtml = lazy(async () => ({ default: (await import('../../ui/clean-html.tsx')).CleanHtml }));

/** What a model wrote, as Markdown; nothing in it runs, and nothing is fetched from elsewhere. */
export function AnswerText({ text }: { readonly text: string }) {
  // A long answer is drawn when there is time for it, not with every word that comes.
  const shown = useDeferredValue(text);
  return (
    <Typography className={styles['text'] ?? ''}>
      <Suspense fallback={<p>{text}</p>}>
        <CleanHtml text={shown} isMarkdown author="machine" />
      </Suspense>
    </Typography>
  );
}
