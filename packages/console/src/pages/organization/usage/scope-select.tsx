import type { Organization } from '@headgate/contract';
import { Select } from '@mantine/core';
import { useTranslation } from '../../../i18n/translate.ts';
import { type Scope, type ScopeKind, scopeKinds, useScopeGroups } from './scope.ts';

interface ScopeSelectProps {
  readonly organization: Organization;
  readonly kinds?: readonly ScopeKind[];
  readonly scope: Scope | undefined;
  readonly onChange: (scope: Scope | undefined) => void;
}

/** Selects one member, project or service account; empty: the whole organization. */
export function ScopeSelect({ organization, kinds = scopeKinds, scope, onChange }: ScopeSelectProps) {
  const { t } = useTranslation();
  const groups = useScopeGroups(organization, kinds);
  if (groups.length === 0) return null;
  return (
    <Select
      label={t('Filter')}
      placeholder={t('Whole organization')}
      searchable
      clearable
      limit={200}
      w={220}
      data={groups.map(({ group, items }) => ({ group, items: [...items] }))}
      value={scope ? `${scope.kind}:${scope.id}` : null}
      onChange={(value) => {
        const [kind, id] = (value ?? '').split(':');
        const known = kinds.find((each) => each === kind);
        onChange(known && { kind: known, id: Number(id) });
      }}
    />
  );
}
