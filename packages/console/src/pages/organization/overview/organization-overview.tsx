import { type Organization, organizationRoleLabels, userStatus } from '@headgate/contract';
import { Alert, Anchor, Group, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { formatNumber } from '../../../lib/format/format.ts';
import { useQuotaFormat } from '../../../lib/format/quota.ts';
import { useManaged } from '../../../lib/page/managed.ts';
import { GroupLabels } from '../../../ui/group-labels.tsx';
import { ManagedBadge } from '../../../ui/managed/managed-row.tsx';
import { Dot } from '../../../ui/status-dot.tsx';
import styles from '../organization.module.css';
import { type OrganizationTab, organizationLink } from '../organization-address.ts';
import { hasPermission, organizationQuery } from '../organization-queries.ts';
import { monthSpendQuery } from '../usage/organization-usage-queries.ts';
import { AddCredit } from './add-credit.tsx';
import { BudgetsNearLimit } from './budgets-near-limit.tsx';
import { OrganizationActions } from './organization-actions.tsx';

interface OverviewProps {
  readonly organization: Organization;
}

/** Balance, spend and budgets of an organization, with the actions that the caller may take. */
export function OrganizationOverview({ organization }: OverviewProps) {
  const { t, label } = useTranslation();
  const { id, name, role, status } = organization;
  const isManaged = useManaged('organization')(id);
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Group gap="sm">
          <Title order={1}>{name}</Title>
          {isManaged && <ManagedBadge isLong />}
          {role !== '' && (
            <Dot color={organizationRoleLabels[role].color} text={label(organizationRoleLabels[role].label)} />
          )}
        </Group>
        <OrganizationActions organization={organization} isManaged={isManaged} />
      </Group>
      {status !== userStatus.enabled && (
        <Alert color="red">{t('This organization is disabled. Its API tokens do not work.')}</Alert>
      )}
      <Facts organization={organization} />
      {hasPermission(organization, 'see_budgets') && <BudgetsNearLimit organization={organization} />}
      {role !== '' && <AddCredit organization={organization} />}
    </Stack>
  );
}

function Facts({ organization }: OverviewProps) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const { id, quota, members, group } = organization;
  // Read again whenever the overview is opened.
  useQuery(organizationQuery(id));
  const { data: spend } = useQuery(monthSpendQuery(id));
  const seesAll = hasPermission(organization, 'see_usage');
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      {hasPermission(organization, 'see_balance') && (
        <Fact name={t('Balance')} id={id} tab="statements" value={format(quota)} />
      )}
      <Fact
        name={seesAll ? t('Spend this month') : t('Your spend this month')}
        id={id}
        tab="usage"
        value={spend === undefined ? <Skeleton height={28} width={90} my={4} /> : format(spend)}
      />
      <Fact
        name={t('Members')}
        id={id}
        tab={hasPermission(organization, 'see_members') ? 'members' : undefined}
        value={formatNumber(members)}
      />
      <Fact name={t('Group')} id={id} tab={undefined} value={<GroupLabels groups={group} />} />
    </SimpleGrid>
  );
}

interface FactProps {
  readonly name: string;
  readonly id: number;
  /** Link to a page that explains the value. */
  readonly tab: OrganizationTab | undefined;
  readonly value: ReactNode;
}

function Fact({ name, id, tab, value }: FactProps) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {tab ? (
          <Anchor component={Link} {...organizationLink(id, tab)} inherit>
            {name}
          </Anchor>
        ) : (
          name
        )}
      </Text>
      <div className={styles['figure']}>{value}</div>
    </Paper>
  );
}
