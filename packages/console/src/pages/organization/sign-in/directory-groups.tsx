import {
  type DirectoryGroup,
  directoryRoles,
  type Organization,
  organizationDirectoryApi,
  organizationRoleLabels,
} from '@headgate/contract';
import { NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { formatNumber } from '../../../lib/format/format.ts';
import { RowSection, SectionRow } from '../../../ui/row-section/row-section.tsx';
import { directoryGroupsQuery, useSignInChange } from './sign-in-queries.ts';

interface DirectoryGroupsProps {
  readonly organization: Organization;
}

/** Roles of groups that a directory has provisioned. */
export function DirectoryGroups({ organization: { id } }: DirectoryGroupsProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(directoryGroupsQuery(id));
  if (data?.length === 0) return null;
  return (
    <RowSection
      title={t('Directory groups')}
      help={t('The highest role of a member applies. Members without a mapped group get the role Member.')}
      rows={data}
      error={error}
      errorTitle={t('Directory groups could not be loaded')}
      onRetry={() => void refetch()}
      empty=""
      tool={null}
    >
      {(group) => <GroupRow key={group.id} organizationId={id} group={group} />}
    </RowSection>
  );
}

interface GroupRowProps {
  readonly organizationId: number;
  readonly group: DirectoryGroup;
}

function GroupRow({ organizationId, group: { id, name, role, members } }: GroupRowProps) {
  const { t, label } = useTranslation();
  const change = useSignInChange();
  return (
    <SectionRow
      actions={
        <>
          <NativeSelect
            aria-label={t('Role of {name}', { name })}
            disabled={change.isPending}
            data={[
              { value: '', label: t('No role') },
              ...directoryRoles.map((each) => ({ value: each, label: label(organizationRoleLabels[each].label) })),
            ]}
            value={role}
            onChange={(event) => {
              const chosen = directoryRoles.find((each) => each === event.currentTarget.value) ?? '';
              const body = { id, role: chosen } as const;
              change.prove(() => call(organizationDirectoryApi.updateGroup, { params: { id: organizationId }, body }));
            }}
          />
          {change.proofDialog}
        </>
      }
    >
      <Text span fw={500} size="sm">
        {name}
      </Text>
      <Text span size="xs" c="dimmed">
        {t('Members: {count}', { count: formatNumber(members) })}
      </Text>
    </SectionRow>
  );
}
