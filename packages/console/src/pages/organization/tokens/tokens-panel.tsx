import {
  type Budget,
  type Organization,
  type OrganizationToken,
  tokenKeyPrefix,
  tokenStatuses,
} from '@headgate/contract';
import { Button, CloseButton, Group, Card as Panel, Text, Title } from '@mantine/core';
import { IconArrowRight, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { useQuotaFormat } from '../../../lib/format/quota.ts';
import { useList } from '../../../lib/list/list.ts';
import { BudgetBar } from '../../../ui/effective-limits/budget-bar.tsx';
import type { Card, Column } from '../../../ui/list/column.ts';
import { ListPage } from '../../../ui/list/list-page.tsx';
import { Time } from '../../../ui/time.tsx';
import { splitList } from '../../../ui/token-form/token-form.ts';
import { TokenStatus } from '../../../ui/token-status.tsx';
import { ClientSetup } from '../../../ui/use-with/use-with.tsx';
import styles from '../organization.module.css';
import { organizationLink } from '../organization-address.ts';
import { budgetsOf, budgetsQuery, hasPermission } from '../organization-queries.ts';
import { useScope } from '../usage/scope.ts';
import { ScopeSelect } from '../usage/scope-select.tsx';
import { MoveTokenDialog } from './move-token-dialog.tsx';
import { useOrganizationTokenActions } from './organization-token-actions.tsx';
import { OrganizationTokenForm } from './organization-token-form.tsx';
import {
  createdOrganizationTokenQuery,
  organizationTokenList,
  readOrganizationTokens,
} from './organization-token-queries.ts';

interface TokensPanelProps {
  readonly organization: Organization;
}

/** API tokens that an organization pays for; `edit` in the URL opens the form of one. */
export function TokensPanel({ organization }: TokensPanelProps) {
  const { edit } = useSearch({ strict: false }) as { readonly edit?: string | number };
  if (edit === undefined) return <TokenList organization={organization} />;
  return <OrganizationTokenForm organization={organization} token={edit === 'new' ? undefined : Number(edit)} />;
}

function TokenList({ organization }: TokensPanelProps) {
  const { t } = useTranslation();
  const { id } = organization;
  const { scope, setScope } = useScope();
  const list = useList<OrganizationToken>({
    name: organizationTokenList,
    dependencies: { id, scope },
    read: (state, signal) => readOrganizationTokens(id, scope, state, signal),
  });
  const seesBudgets = hasPermission(organization, 'see_budgets');
  const { data: budgets = [] } = useQuery({ ...budgetsQuery(id), enabled: seesBudgets });
  const actions = useOrganizationTokenActions(organization);
  return (
    <>
      <ListPage
        title={t('Tokens')}
        list={list}
        columns={useColumns(budgets)}
        rowKey={(token) => token.id}
        rowName={(token) => token.name || `#${token.id}`}
        actions={actions.of}
        statuses={tokenStatuses}
        searchLabel={t('Search by name')}
        emptyText={t('No API tokens yet')}
        customFilters={{
          isNarrowed: scope !== undefined,
          clear: () => {
            if (scope) setScope(undefined);
            else list.change({ keyword: '', status: undefined });
          },
        }}
        aside={
          hasPermission(organization, 'use_tokens') &&
          organization.role !== '' && <AddButtons organization={organization} />
        }
        card={useCard(budgets)}
      >
        <div className={styles['filters']}>
          {hasPermission(organization, 'see_tokens') && (
            <ScopeSelect organization={organization} scope={scope} onChange={setScope} />
          )}
        </div>
        <CreatedToken />
      </ListPage>
      {actions.dialog}
    </>
  );
}

function AddButtons({ organization }: TokensPanelProps) {
  const { t } = useTranslation();
  const [isMoving, setMoving] = useState(false);
  return (
    <Group gap="xs">
      <Button
        component={Link}
        {...organizationLink(organization.id, 'tokens', { edit: 'new' })}
        leftSection={<IconPlus size={16} aria-hidden />}
      >
        {t('Add token')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconArrowRight size={16} stroke={1.6} aria-hidden />}
        onClick={() => setMoving(true)}
      >
        {t('Move own token')}
      </Button>
      {isMoving && <MoveTokenDialog organization={organization} onClosed={() => setMoving(false)} />}
    </Group>
  );
}

const ownerOf = ({ service_account, creator, creator_id }: OrganizationToken): string =>
  service_account || creator || (creator_id > 0 ? `#${creator_id}` : '');

function useColumns(budgets: readonly Budget[]): readonly Column<OrganizationToken>[] {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  return [
    {
      id: 'name',
      title: t('Name'),
      sort: 'name',
      width: 120,
      grow: 3,
      cell: ({ name }) => (
        <Text span fw={500} inherit>
          {name || t('None')}
        </Text>
      ),
    },
    {
      id: 'status',
      title: t('Status'),
      sort: 'status',
      width: 100,
      cell: (token) => <TokenStatus token={token} />,
    },
    { id: 'owner', title: t('Owner'), width: 120, grow: 1, cell: ownerOf },
    { id: 'project', title: t('Project'), width: 110, grow: 1, cell: ({ project }) => project },
    {
      id: 'used_quota',
      title: t('Used quota'),
      sort: 'used_quota',
      width: 100,
      isNumber: true,
      cell: ({ used_quota }) => format(used_quota),
    },
    {
      id: 'remain_quota',
      title: t('Remaining quota'),
      width: 130,
      isNumber: true,
      cell: (token) => <Remaining token={token} budgets={budgets} />,
    },
    {
      id: 'accessed_time',
      title: t('Last used'),
      width: 152,
      cell: ({ accessed_time }) => (accessed_time > 0 ? <Time seconds={accessed_time} /> : t('Never used')),
    },
  ];
}

interface RemainingProps {
  readonly token: OrganizationToken;
  readonly budgets: readonly Budget[];
}

function Remaining({ token, budgets }: RemainingProps) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const [budget] = budgetsOf(budgets, 'token', token.id);
  return (
    <>
      {token.unlimited_quota ? t('Unlimited') : format(token.remain_quota)}
      {budget && <BudgetBar budget={budget} isShort />}
    </>
  );
}

function useCard(budgets: readonly Budget[]) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  return (token: OrganizationToken): Card => ({
    title: token.name || t('None'),
    status: <TokenStatus token={token} />,
    facts: [
      { name: t('Owner'), value: ownerOf(token) },
      { name: t('Project'), value: token.project || t('None') },
      { name: t('Used quota'), value: format(token.used_quota) },
      { name: t('Remaining quota'), value: <Remaining token={token} budgets={budgets} /> },
    ],
  });
}

/** Setup instructions for the new token, with its key. */
function CreatedToken() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data: token } = useQuery(createdOrganizationTokenQuery);
  if (!token) return null;
  return (
    <Panel withBorder padding="lg" mb="md" component="section" aria-labelledby="created-token">
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb="sm">
        <Title order={2} id="created-token">
          {t('Token created. Connect a client:')}
        </Title>
        <CloseButton
          aria-label={t('Close')}
          onClick={() => queries.setQueryData(createdOrganizationTokenQuery.queryKey, null)}
        />
      </Group>
      <ClientSetup key={token.id} apiKey={tokenKeyPrefix + token.key} models={splitList(token.models)} isShown />
    </Panel>
  );
}
