import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { query } from '../../lib/page/address.ts';
import type { LimitSubject } from './effective-limits.ts';

interface AddLinksProps {
  readonly on: LimitSubject;
  readonly isAdmin: boolean;
}

/** Links to the forms with the subject filled in. Limits are for admins; users can set budgets for their own tokens. */
export function AddLinks({ on, isAdmin }: AddLinksProps) {
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
