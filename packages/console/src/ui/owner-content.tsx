import { Skeleton, Typography } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useWords } from '../i18n/translate.ts';
import styles from './owner-content.module.css';

// The markdown reader and the sanitiser are only fetched where an owner wrote something.
const CleanHtml = lazy(async () => ({ default: (await import('./clean-html.tsx')).CleanHtml }));

interface OwnerContentProps {
  readonly text: string;
}

/** Text the owner wrote: an https address is embedded in a sandbox, anything else is sanitised Markdown. */
export function OwnerContent({ text }: OwnerContentProps) {
  const { t } = useWords();
  if (/^https:\/\/\S+$/i.test(text.trim())) {
    return (
      <iframe
        className={styles['embedded']}
        src={text.trim()}
        title={t('Embedded page')}
        sandbox="allow-scripts allow-forms allow-popups allow-same-origin"
        referrerPolicy="no-referrer"
      />
    );
  }
  return (
    <Typography>
      <Suspense fallback={<Skeleton height={120} />}>
        <CleanHtml text={text} isMarkdown />
      </Suspense>
    </Typography>
  );
}

/** Sanitised HTML in place, without a block around it. */
export function OwnerHtml({ text }: OwnerContentProps) {
  return (
    <Suspense fallback={null}>
      <CleanHtml text={text} />
    </Suspense>
  );
}
