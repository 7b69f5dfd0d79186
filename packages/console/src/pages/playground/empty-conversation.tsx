import { Button, Text, Title } from '@mantine/core';
import { IconMessage2Question } from '@tabler/icons-react';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import styles from './playground.module.css';

const suggestedQuestions: readonly TextKey[] = [
  'Explain what an API gateway does, in two sentences',
  'Write a haiku about a river',
  'List five test cases for a login form',
];

/** Introduction with suggested questions. */
export function EmptyConversation({ onChoose }: { readonly onChoose: (question: string) => void }) {
  const { t } = useTranslation();
  return (
    <div className={styles['empty']}>
      <IconMessage2Question size={40} stroke={1.4} className={styles['emptyMark'] ?? ''} aria-hidden />
      <Title order={2}>{t('Send a message to a model')}</Title>
      <Text c="dimmed">{t('Try models with your own token. Responses are billed like any other request.')}</Text>
      <div className={styles['ideas']}>
        {suggestedQuestions.map((words) => (
          <Button key={words} variant="default" size="xs" radius="xl" onClick={() => onChoose(t(words))}>
            {t(words)}
          </Button>
        ))}
      </div>
    </div>
  );
}
