import type { Budget, OwnLimit } from '@headgate/contract';
import { Button, Card, Group, Skeleton, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { query } from '../../lib/page/address.ts';
import { formSectionProps } from '../form/below-form.ts';
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
    <Card withBorder {...(isBelowForm ? formSectionProps : { padding: 'md' })} component="section" aria-labelledby={id}>
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

interface AddLinksProps {
  readonly on: LimitSubject;
  readonly isAdmin: boolean;
}

/** Links to the forms with the subject filled in. Limits are for admins; users can set budgets for their own tokens. */
function AddLinks({ on, isAdmin }: AddLinksProps) {
  const { t } = useTranslation();
  const budget = { do: 'add', kind: on.kind, owner_id: String(on.id) };
  return (
    <Group gap="xs">
      {isAdmin && (
        <Button
          component={Link}
          to="/limit/add"
          search={query({ [`${on.kind}_id`]: String(on.id) })}
          size="xs"
          variant="default"
        >
          {t('Add limit')}
        </Button>
      )}
      {(isAdmin || on.kind === 'token') && (
        <Button component={Link} to="/budget" search={query(budget)} size="xs" variant="default">
          {t('Add budget')}
        </Button>
      )}
    </Group>
  );
}
