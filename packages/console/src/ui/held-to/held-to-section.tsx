import type { Budget, OwnLimit } from '@headgate/contract';
import { Card, Group, Skeleton, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { useWords } from '../../i18n/translate.ts';
import { belowForm } from '../form/below-form.ts';
import { AddLinks } from './add-links.tsx';
import type { HeldSubject } from './held-to.ts';
import { HeldToList } from './held-to-list.tsx';

interface HeldToSectionProps {
  readonly on: HeldSubject;
  /** Undefined while loading. */
  readonly held: { readonly limits: readonly OwnLimit[]; readonly budgets: readonly Budget[] } | undefined;
  readonly isFailed: boolean;
  readonly isAdmin: boolean;
}

/** Limits and budgets of a user or token, on its page. */
export function HeldToSection({ on, held, isFailed, isAdmin }: HeldToSectionProps) {
  const { t } = useWords();
  const id = useId();
  const isBelowForm = on.kind === 'token';
  return (
    <Card withBorder {...(isBelowForm ? belowForm : { padding: 'md' })} component="section" aria-labelledby={id}>
      <Group justify="space-between" mb="sm">
        <Title order={2} {...(isBelowForm && { size: 'h3' })} id={id}>
          {t('Limits and budgets')}
        </Title>
        <AddLinks on={on} isAdmin={isAdmin} />
      </Group>
      {held && <HeldToList on={on} isAdmin={isAdmin} {...held} />}
      {!held && !isFailed && <Skeleton height={64} />}
      {!held && isFailed && <Text c="dimmed">{t('Limits and budgets could not be loaded')}</Text>}
    </Card>
  );
}
