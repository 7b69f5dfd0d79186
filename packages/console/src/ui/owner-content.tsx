import { Skeleton, Typography } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useWords } from '../i18n/translate.ts';
import styles from './owner-content.module.css';
import { SandboxedFrame } from './sandboxed-frame.tsx';

// The markdown reader and the sanitiser are only fetched where an owner wrote something.
const CleanHtml = lazy(async () => ({ default: (await import('./clean-html.tsx')).CleanHtml }));

interface OwnerContentProps {
  readonly text: string;
}

const isAddress = (text: string) => /^https:\/\/\S+$/i.test(text) && URL.canParse(text);

/** Text the owner wrote: an https address is embedded in a sandbox, anything else is sanitised Markdown. */
export function OwnerContent({ text }: OwnerContentProps) {
  const { t } = useWords();
  const address = text.trim();
  return isAddress(address) ? (
    <SandboxedFrame className={styles['embedded']} address={address} title={t('Embedded page')} />
  ) : (
    <OwnerText text={text} />
  );
}

/** Sanitised Markdown, in which an address is a link like any other. */
export function OwnerText({ text }: OwnerContentProps) {
  return (
    <Typography className={styles['text'] ?? ''}>
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
