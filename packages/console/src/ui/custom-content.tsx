import { Skeleton, Typography } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import styles from './owner-content.module.css';
import { SandboxedFrame } from './sandboxed-frame.tsx';

// The Markdown parser and sanitizer are loaded only if there is operator-provided content.
const CleanHtml = lazy(async () => ({ default: (await import('./clean-html.tsx')).CleanHtml }));

interface CustomContentProps {
  readonly text: string;
}

const isAddress = (text: string) => /^https:\/\/\S+$/i.test(text) && URL.canParse(text);

/**
 * Operator-provided content: an https URL is embedded in a sandbox, anything else is rendered as sanitized Markdown.
 */
export function CustomContent({ text }: CustomContentProps) {
  const { t } = useTranslation();
  const address = text.trim();
  return isAddress(address) ? (
    <SandboxedFrame className={styles['embedded']} address={address} title={t('Embedded page')} />
  ) : (
    <CustomText text={text} />
  );
}

/** Sanitized Markdown; a URL is rendered as a link. */
export function CustomText({ text }: CustomContentProps) {
  return (
    <Typography className={styles['text'] ?? ''}>
      <Suspense fallback={<Skeleton height={120} />}>
        <CleanHtml text={text} isMarkdown />
      </Suspense>
    </Typography>
  );
}

/** Inline sanitized HTML. */
export function CustomHtml({ text }: CustomContentProps) {
  return (
    <Suspense fallback={null}>
      <CleanHtml text={text} />
    </Suspense>
  );
}
