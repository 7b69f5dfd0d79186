import { Typography } from '@mantine/core';
import { lazy, Suspense, useDeferredValue } from 'react';
import styles from './playground.module.css';

// The Markdown parser and the sanitizer are loaded with the first response.
const CleanHtml = lazy(async () => ({ default: (await import('../../ui/clean-html.tsx')).CleanHtml }));

/** Model output as sanitized Markdown: nothing runs, and nothing is loaded from other sites. */
export function ResponseText({ text }: { readonly text: string }) {
  // Deferred, so that a long response is not parsed with every chunk.
  const shown = useDeferredValue(text);
  return (
    <Typography className={styles['text'] ?? ''}>
      <Suspense fallback={<p>{text}</p>}>
        <CleanHtml text={shown} isMarkdown author="machine" />
      </Suspense>
    </Typography>
  );
}
