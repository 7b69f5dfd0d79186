import { type Budget, type Organization, projectStatus } from '@headgate/contract';
import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { formatNumber } from '../../../lib/format/format.ts';
import { useList } from '../../../lib/list/list.ts';
import { BudgetBar } from '../../../ui/effective-limits/budget-bar.tsx';
import type { Card, Column } from '../../../ui/list/column.ts';
import { ListPage } from '../../../ui/list/list-page.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { budgetsOf, budgetsQuery, hasPermission, projectsQuery, usedFraction } from '../organization-queries.ts';
import { paginateRows } from '../paginate-rows.ts';
import { useProjectActions } from './project-actions.tsx';
import type { ProjectRow } from './project-row.ts';
import { ServiceAccounts } from './service-accounts.tsx';

const statuses = {
  [projectStatus.enabled]: { label: 'Enabled', color: 'green' },
  [projectStatus.disabled]: { label: 'Disabled', color: 'red' },
} as const;

/** Projects with their budgets, models and tags, and service accounts. */
export function ProjectsPanel({ organization }: { readonly organization: Organization }) {
  const { t } = useTranslation();
  const list = useProjects(organization);
  const actions = useProjectActions(organization);
  const columns = useColumns(organization);
  const card = useCard(organization);
  return (
    <>
      <ListPage<ProjectRow>
        title={t('Projects')}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        managed="project"
        actions={actions.of}
        searchLabel={t('Search by name')}
        statuses={statuses}
        emptyText={t('No projects yet. A project limits the budget and models of its API tokens.')}
        aside={
          hasPermission(organization, 'manage_projects') && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={actions.add}>
              {t('Create project')}
            </Button>
          )
        }
        card={card}
      />
      {hasPermission(organization, 'see_tokens') && <ServiceAccounts organization={organization} />}
      {actions.dialog}
    </>
  );
}

function useProjects(organization: Organization) {
  const queries = useQueryClient();
  const { id } = organization;
  return useList<ProjectRow>({
    name: 'organization-projects',
    dependencies: id,
    read: async (state) => {
      const [projects, budgets] = await Promise.all([
        queries.fetchQuery(projectsQuery(id)),
        hasPermission(organization, 'see_budgets') ? queries.fetchQuery(budgetsQuery(id)) : [],
      ]);
      const { status } = state;
      const rows = projects
        .filter((project) => status === undefined || project.status === status)
        .map((project) => ({ ...project, budgets: budgetsOf(budgets, 'project', project.id) }));
      return paginateRows(rows, state, {
        text: ({ name, fixed_tags }) => `${name} ${fixed_tags}`,
        sorts: {
          name: ({ name }) => name,
          budget: ({ budgets: [budget] }) => (budget ? usedFraction(budget) : -1),
          tokens: ({ tokens }) => tokens,
        },
      });
    },
  });
}

function useColumns(organization: Organization): readonly Column<ProjectRow>[] {
  const { t } = useTranslation();
  return [
    {
      id: 'name',
      title: t('Name'),
      sort: 'name',
      width: 150,
      grow: 2,
      isName: true,
      cell: ({ name }) => (
        <Text span fw={500} inherit>
          {name}
        </Text>
      ),
    },
    {
      id: 'status',
      title: t('Status'),
      width: 100,
      cell: ({ status }) => <StatusDot status={status} statuses={statuses} />,
    },
    ...(hasPermission(organization, 'see_budgets')
      ? [
          {
            id: 'budget',
            title: t('Budget'),
            sort: 'budget',
            width: 150,
            grow: 1,
            cell: ({ budgets }: ProjectRow) => <Budgets budgets={budgets} />,
          },
        ]
      : []),
    {
      id: 'models',
      title: t('Allowed models'),
      width: 150,
      grow: 3,
      cell: ({ models }) => models.replaceAll(',', ', ') || t('All'),
    },
    { id: 'tags', title: t('Fixed tags'), width: 120, grow: 1, cell: ({ fixed_tags }) => fixed_tags },
    {
      id: 'tokens',
      title: t('Tokens'),
      sort: 'tokens',
      width: 80,
      isNumber: true,
      cell: ({ tokens }) => formatNumber(tokens),
    },
  ];
}

function Budgets({ budgets: [budget, ...others] }: { readonly budgets: readonly Budget[] }) {
  const { t } = useTranslation();
  if (!budget) return t('No budget');
  return (
    <>
      <BudgetBar budget={budget} isShort />
      {others.length > 0 && (
        <Text span size="xs" c="dimmed">
          {t('and {count} more', { count: others.length })}
        </Text>
      )}
    </>
  );
}

function useCard(organization: Organization) {
  const { t } = useTranslation();
  const seesBudgets = hasPermission(organization, 'see_budgets');
  return ({ name, status, budgets, models, fixed_tags, tokens }: ProjectRow): Card => ({
    title: name,
    status: <StatusDot status={status} statuses={statuses} />,
    facts: [
      ...(seesBudgets ? [{ name: t('Budget'), value: <Budgets budgets={budgets} />, isWide: true }] : []),
      { name: t('Allowed models'), value: models.replaceAll(',', ', ') || t('All') },
      { name: t('Tokens'), value: formatNumber(tokens) },
      ...(fixed_tags === '' ? [] : [{ name: t('Fixed tags'), value: fixed_tags, isWide: true }]),
    ],
  });
}
