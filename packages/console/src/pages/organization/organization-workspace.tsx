import { isAdmin, type Organization } from '@headgate/contract';
import { Skeleton, Stack, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import * as z from 'zod/mini';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { createStoredValue } from '../../lib/page/stored-value.ts';
import { LoadFailed } from '../../ui/load-failed.tsx';
import { NoOrganization } from './no-organization.tsx';
import styles from './organization.module.css';
import { type OrganizationTab, organizationLink, organizationTabs } from './organization-address.ts';
import { hasPermission, organizationQuery, ownOrganizationsQuery } from './organization-queries.ts';
import { OrganizationSwitcher } from './organization-switcher.tsx';
import { OwnInvitations } from './own-invitations.tsx';

interface PanelProps {
  readonly organization: Organization;
}

interface TabRow {
  readonly label: TextKey;
  readonly isShown: (organization: Organization) => boolean;
  readonly Panel: ComponentType<PanelProps>;
}

const tabs: Readonly<Record<OrganizationTab, TabRow>> = {
  overview: {
    label: 'Overview',
    isShown: () => true,
    Panel: lazy(async () => ({ default: (await import('./overview/organization-overview.tsx')).OrganizationOverview })),
  },
  members: {
    label: 'Members',
    isShown: (organization) => hasPermission(organization, 'see_members'),
    Panel: lazy(async () => ({ default: (await import('./members/members-panel.tsx')).MembersPanel })),
  },
  projects: {
    label: 'Projects',
    isShown: (organization) => hasPermission(organization, 'see_projects'),
    Panel: lazy(async () => ({ default: (await import('./projects/projects-panel.tsx')).ProjectsPanel })),
  },
  tokens: {
    label: 'Tokens',
    isShown: (organization) => hasPermission(organization, 'use_tokens') || hasPermission(organization, 'see_tokens'),
    Panel: lazy(async () => ({ default: (await import('./tokens/tokens-panel.tsx')).TokensPanel })),
  },
  usage: {
    label: 'Usage',
    isShown: () => true,
    Panel: lazy(async () => ({ default: (await import('./usage/usage-panel.tsx')).UsagePanel })),
  },
  logs: {
    label: 'Logs',
    isShown: () => true,
    Panel: lazy(async () => ({ default: (await import('./usage/logs-panel.tsx')).LogsPanel })),
  },
  statements: {
    label: 'Statements',
    isShown: (organization) => hasPermission(organization, 'see_statements') || organization.role !== '',
    Panel: lazy(async () => ({ default: (await import('./usage/statements-panel.tsx')).StatementsPanel })),
  },
  'sign-in': {
    label: 'Login',
    isShown: (organization) => hasPermission(organization, 'manage_sign_in'),
    Panel: lazy(async () => ({ default: (await import('./sign-in/sign-in-panel.tsx')).SignInPanel })),
  },
};

/** The organization that was opened last. */
const lastOpened = createStoredValue('organization', z.int());

interface Search {
  readonly id?: string | number;
  readonly tab?: string;
}

/** Organizations of the signed-in user; gateway admins can open any organization by ID. */
export function OrganizationWorkspace() {
  const { t } = useTranslation();
  const { id: given } = useSearch({ strict: false }) as Search;
  const { data: own, error, refetch } = useQuery(ownOrganizationsQuery);
  if (error && !own)
    return <LoadFailed title={t('Organizations could not be loaded')} error={error} onRetry={refetch} />;
  if (!own) return <Skeleton height={320} />;
  const chosen = Number(given) || (own.find(({ id }) => id === lastOpened.get()) ?? own[0])?.id;
  if (chosen === undefined) return <NoOrganization />;
  return <ChosenOrganization key={chosen} id={chosen} own={own} />;
}

interface ChosenProps {
  readonly id: number;
  readonly own: readonly Organization[];
}

function ChosenOrganization({ id, own }: ChosenProps) {
  const { t } = useTranslation();
  const user = useUser();
  const isOwn = own.some((row) => row.id === id);
  const { data: read, error, refetch } = useQuery(organizationQuery(id));
  const data = read ?? own.find((row) => row.id === id);
  useEffect(() => {
    if (isOwn) lastOpened.set(id);
  }, [id, isOwn]);
  if (!data)
    return (
      <Stack gap="md" align="flex-start">
        <OrganizationSwitcher chosen={undefined} own={own} />
        {error ? (
          <LoadFailed title={t('The organization could not be loaded')} error={error} onRetry={refetch} />
        ) : (
          <Skeleton height={320} />
        )}
      </Stack>
    );
  // Admins who are not members see the switcher too, to return to their own organizations.
  return (
    <>
      <OwnInvitations />
      <OrganizationPanels organization={data} own={isAdmin(user) && !isOwn ? [data, ...own] : own} />
    </>
  );
}

function OrganizationPanels({ organization, own }: PanelProps & Pick<ChosenProps, 'own'>) {
  const { t } = useTranslation();
  const { tab } = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const shown = organizationTabs.filter((name) => tabs[name].isShown(organization));
  const current = shown.find((name) => name === tab) ?? 'overview';
  const { Panel } = tabs[current];
  return (
    <Tabs
      value={current}
      keepMounted={false}
      onChange={(name) => void navigate(organizationLink(organization.id, (name ?? 'overview') as OrganizationTab))}
    >
      <div className={styles['head']}>
        <OrganizationSwitcher chosen={organization} own={own} />
        <Tabs.List className={styles['tabs'] ?? ''} aria-label={t('Organization')}>
          {shown.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(tabs[name].label)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </div>
      <Tabs.Panel value={current}>
        <Suspense fallback={<Skeleton height={320} />}>
          <Panel organization={organization} />
        </Suspense>
      </Tabs.Panel>
    </Tabs>
  );
}
