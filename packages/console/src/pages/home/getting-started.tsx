import type { SetupSteps } from '@headgate/contract';
import { Anchor, Card, Text, Title } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import styles from './home.module.css';

interface Step {
  readonly name: keyof SetupSteps;
  readonly label: TextKey;
  readonly to: string;
  readonly forAdmins?: true;
}

const gettingStartedSteps: readonly Step[] = [
  { name: 'password', label: 'Change the default password', to: '/user/edit', forAdmins: true },
  { name: 'channel', label: 'Add your first channel', to: '/channel/add', forAdmins: true },
  { name: 'tested', label: 'Test the channel', to: '/channel', forAdmins: true },
  { name: 'token', label: 'Create a token', to: '/token/add' },
];

/** True if the page was opened before the first request; it then stays open to show the confirmation. */
export function useIsGettingStarted(steps: SetupSteps | undefined): boolean {
  const [isBeginning, setBeginning] = useState(false);
  if (steps?.request === false && !isBeginning) setBeginning(true);
  return isBeginning;
}

/** Setup steps up to the first request; the last one completes automatically. */
export function GettingStarted({ steps, isAdmin }: { readonly steps: SetupSteps; readonly isAdmin: boolean }) {
  const { t } = useTranslation();
  const shown = gettingStartedSteps.filter(({ forAdmins }) => isAdmin || !forAdmins);
  const next = shown.find(({ name }) => !steps[name]);
  return (
    <Card withBorder padding="lg">
      <Title order={2} mb="sm">
        {t('Get started: send your first request')}
      </Title>
      <ol className={styles['path']}>
        {shown.map(({ name, label, to }) => (
          <li key={name} data-done={steps[name] || undefined} aria-current={next?.name === name ? 'step' : undefined}>
            <Tick isDone={steps[name]} />
            {steps[name] ? (
              <span>{t(label)}</span>
            ) : (
              <Anchor component={Link} to={to}>
                {t(label)}
              </Anchor>
            )}
          </li>
        ))}
        <li data-done={steps.request || undefined} aria-live="polite">
          <Tick isDone={steps.request} />
          <Text span>
            {steps.request
              ? t('Your first request succeeded')
              : t('Waiting for your first request… See the examples below.')}
          </Text>
        </li>
      </ol>
    </Card>
  );
}

function Tick({ isDone }: { readonly isDone: boolean }) {
  const { t } = useTranslation();
  return isDone ? (
    <IconCircleCheckFilled size={20} className={styles['done'] ?? ''} aria-label={t('Done')} />
  ) : (
    <IconCircle size={20} className={styles['open'] ?? ''} aria-label={t('To do')} />
  );
}
