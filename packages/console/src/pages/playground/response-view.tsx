import { Alert, Button, Loader, Menu, Text, Typography } from '@mantine/core';
import { IconCode } from '@tabler/icons-react';
import { lazy, Suspense, useDeferredValue } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatMoney, formatNumber } from '../../lib/format/format.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { copyWithMessage } from '../../ui/copy-with-message.ts';
import { type ChatRequest, codeLanguages, requestCode } from './chat-request.ts';
import styles from './playground.module.css';
import type { ModelResponse } from './use-playground.ts';

// The Markdown parser and the sanitizer are loaded with the first response.
const CleanHtml = lazy(async () => ({ default: (await import('../../ui/clean-html.tsx')).CleanHtml }));

/** Model output as sanitized Markdown: nothing runs, and nothing is loaded from other sites. */
function ResponseText({ text }: { readonly text: string }) {
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

interface ResponseViewProps {
  readonly answer: ModelResponse;
  /** Request of this response. */
  readonly request: () => ChatRequest;
}

const costDigits = 6;

export function ResponseView({ answer, request }: ResponseViewProps) {
  const { t } = useTranslation();
  const { model, text, reasoning, state, error } = answer;
  return (
    <article
      className={styles['answer']}
      aria-label={t('Response from {model}', { model })}
      aria-busy={state === 'running'}
    >
      <header className={styles['answerHead']}>
        <Text fw={600} size="sm" className={styles['model'] ?? ''} translate="no">
          {model}
        </Text>
        {state === 'running' && <Loader size={14} aria-label={t('Generating…')} />}
      </header>
      {reasoning !== '' && (
        <details className={styles['reasoning']}>
          <summary>{t('Reasoning')}</summary>
          <p>{reasoning}</p>
        </details>
      )}
      {text !== '' && <ResponseText text={text} />}
      {error !== undefined && (
        <Alert color="red" role="alert">
          {error}
        </Alert>
      )}
      {state === 'stopped' && (
        <Text size="sm" c="dimmed">
          {t('Stopped')}
        </Text>
      )}
      {state !== 'running' && (
        <footer className={styles['facts']}>
          <Facts answer={answer} />
          <CopyCode request={request} />
        </footer>
      )}
    </article>
  );
}

function Facts({ answer: { usage, firstByteMs, totalMs, quota, dollars } }: { readonly answer: ModelResponse }) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const facts = [
    usage &&
      t('{in} tokens in, {out} out', {
        in: formatNumber(usage.prompt_tokens),
        out: formatNumber(usage.completion_tokens),
      }),
    firstByteMs !== undefined && t('first byte after {ms} ms', { ms: formatNumber(firstByteMs) }),
    totalMs !== undefined && t('{ms} ms total', { ms: formatNumber(totalMs) }),
    dollars !== undefined && t('about {amount} at list price', { amount: formatMoney(dollars, costDigits) }),
    quota !== undefined && t('cost {amount}', { amount: format(quota, costDigits) }),
  ].filter((fact) => fact !== false && fact !== undefined);
  return (
    <Text size="xs" c="dimmed" className={styles['figures'] ?? ''}>
      {facts.join(' · ')}
    </Text>
  );
}

function CopyCode({ request }: Pick<ResponseViewProps, 'request'>) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button size="compact-xs" variant="subtle" color="gray" leftSection={<IconCode size={14} aria-hidden />}>
          {t('Copy as code')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {codeLanguages.map((language) => (
          <Menu.Item
            key={language}
            onClick={() => void copyWithMessage(requestCode(language, window.location.origin, request()))}
          >
            {language}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
