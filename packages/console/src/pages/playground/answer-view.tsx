import { Alert, Button, Loader, Menu, Text } from '@mantine/core';
import { IconCode } from '@tabler/icons-react';
import { useWords } from '../../i18n/translate.ts';
import { figure, money } from '../../lib/format/format.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { copyAndTell } from '../../ui/copy-and-tell.ts';
import { AnswerText } from './answer-text.tsx';
import { type ChatRequest, codeLanguages, codeOf } from './chat-request.ts';
import styles from './playground.module.css';
import type { Answer } from './use-playground.ts';

interface AnswerViewProps {
  readonly answer: Answer;
  /** Request of this response. */
  readonly request: () => ChatRequest;
}

const costDigits = 6;

export function AnswerView({ answer, request }: AnswerViewProps) {
  const { t } = useWords();
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
      {text !== '' && <AnswerText text={text} />}
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

function Facts({ answer: { usage, firstByteMs, totalMs, quota, dollars } }: { readonly answer: Answer }) {
  const { t } = useWords();
  const format = useQuotaFormat();
  const facts = [
    usage && t('{in} tokens in, {out} out', { in: figure(usage.prompt_tokens), out: figure(usage.completion_tokens) }),
    firstByteMs !== undefined && t('first byte after {ms} ms', { ms: figure(firstByteMs) }),
    totalMs !== undefined && t('{ms} ms total', { ms: figure(totalMs) }),
    dollars !== undefined && t('about {amount} at list price', { amount: money(dollars, costDigits) }),
    quota !== undefined && t('cost {amount}', { amount: format(quota, costDigits) }),
  ].filter((fact) => fact !== false && fact !== undefined);
  return (
    <Text size="xs" c="dimmed" className={styles['figures'] ?? ''}>
      {facts.join(' · ')}
    </Text>
  );
}

function CopyCode({ request }: Pick<AnswerViewProps, 'request'>) {
  const { t } = useWords();
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
            onClick={() => void copyAndTell(codeOf(language, window.location.origin, request()))}
          >
            {language}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
