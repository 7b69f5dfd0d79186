import type { Budget, OwnLimit } from '@headgate/contract';
import { Card, Group, Skeleton, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { belowFormProps } from '../form/below-form.ts';
import { AddLinks } from './add-links.tsx';
import type { LimitSubject } from './effective-limits.ts';
import { EffectiveLimitsList } from './effective-limits-list.tsx';

interface EffectiveLimitsSectionProps {
  readonly on: LimitSubject;
  /** Undefined while loading. */
  readonly effective: { readonly limits: readonly OwnLimit[]; readonly budgets: readonly Budget[] } | undefined;
  readonly isFailed: boolean;
  readonly isAdmin: boolean;
}

/** Limits and budgets of a user or token, on its page. */
export function EffectiveLimitsSection({ on, effective, isFailed, isAdmin }: EffectiveLimitsSectionProps) {
  const { t } = useTranslation();
  const id = useId();
  const isBelowForm = on.kind === 'token';
  return (
    <Card withBorder {...(isBelowForm ? belowFormProps : { padding: 'md' })} component="section" aria-labelledby={id}>
      <Group justify="space-between" mb="sm">
        <Title order={2} {...(isBelowForm && { size: 'h3' })} id={id}>
          {t('Limits and budgets')}
        </Title>
        <AddLinks on={on} isAdmin={isAdmin} />
      </Group>
      {effective && <EffectiveLimitsList on={on} isAdmin={isAdmin} {...effective} />}
      {!effective && !isFailed && <Skeleton height={64} />}
      {!effective && isFailed && <Text c="dimmed">{t('Limits and budgets could not be loaded')}</Text>}
    </Card>
  );
}
