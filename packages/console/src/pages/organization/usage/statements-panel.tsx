import type { Organization, Statement, StatementCredit } from '@headgate/contract';
import { Button, NativeSelect, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { useUser } from '../../../lib/account/session.ts';
import { downloadText } from '../../../lib/api/download.ts';
import { updateQuery } from '../../../lib/page/address.ts';
import { useStatus } from '../../../lib/page/status.ts';
import { LoadFailed } from '../../../ui/load-failed.tsx';
import { useCreditDescription } from '../../../ui/statement/credit-description.ts';
import printed from '../../../ui/statement/statement.module.css';
import { statementCsv } from '../../../ui/statement/statement-csv.ts';
import { StatementParties } from '../../../ui/statement/statement-document.tsx';
import { latestMonths, monthOf } from '../../../ui/statement/statement-month.ts';
import { StatementTables } from '../../../ui/statement/statement-tables.tsx';
import styles from '../organization.module.css';
import { hasPermission } from '../organization-queries.ts';
import { organizationStatementQuery } from './organization-usage-queries.ts';
import { type Scope, useScope, useScopeGroups } from './scope.ts';
import { ScopeSelect } from './scope-select.tsx';

const offeredMonths = 24;
const kinds = ['member', 'project'] as const;

/** Monthly statements of an organization, a member or a project. Members see their own. */
export function StatementsPanel({ organization }: { readonly organization: Organization }) {
  const { t } = useTranslation();
  const search = useSearch({ strict: false }) as { month?: unknown };
  const [now] = useState(() => new Date());
  const month = monthOf(typeof search.month === 'string' ? search.month : undefined, now);
  const { scope, setScope } = useStatementScope(organization);
  const { data, error, refetch } = useQuery(organizationStatementQuery(organization.id, month, scope));
  const describe = useCreditDescription();
  return (
    <Stack gap="lg" maw={960} className={printed['statement'] ?? ''}>
      <Toolbar
        month={month.name}
        now={now}
        statement={data}
        describe={describe}
        buyer={organization.name}
        filter={setScope && <ScopeSelect organization={organization} kinds={kinds} scope={scope} onChange={setScope} />}
      />
      {error && !data && <LoadFailed title={t('The statement could not be loaded')} error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height={320} />}
      {data && (
        <>
          <Head organization={organization} month={month.name} scope={scope} />
          <StatementParties document={data.document} buyer={organization.name} />
          <StatementTables statement={data} describe={describe} isPart={scope !== undefined} />
        </>
      )}
    </Stack>
  );
}

/** Callers who may not read all statements are restricted to their own. */
function useStatementScope(organization: Organization) {
  const self = useUser();
  const { scope, setScope } = useScope();
  const readsAll = hasPermission(organization, 'see_statements');
  if (!readsAll) return { scope: { kind: 'member', id: self?.id ?? 0 } as const, setScope: undefined };
  return { scope: kinds.some((kind) => kind === scope?.kind) ? scope : undefined, setScope };
}

interface ToolbarProps {
  readonly month: string;
  readonly now: Date;
  readonly statement: Statement | undefined;
  readonly describe: (credit: StatementCredit) => string;
  readonly buyer: string;
  readonly filter: ReactNode;
}

function Toolbar({ month, now, statement, describe, buyer, filter }: ToolbarProps) {
  const { t } = useTranslation();
  const { quota_per_unit } = useStatus();
  const navigate = useNavigate();
  const months = latestMonths(now, offeredMonths);
  const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
  const save = () => {
    if (!statement) return;
    const text = statementCsv(statement, { t, describe, pointsPerUnit: quota_per_unit, buyer });
    downloadText(`statement-${statement.username.replaceAll(':', '-')}-${month}.csv`, text, 'text/csv');
  };
  return (
    <div className={styles['toolbar']}>
      <NativeSelect
        label={t('Month')}
        value={month}
        data={months.includes(month) ? [...months] : [month, ...months]}
        onChange={({ currentTarget: { value } }) =>
          void navigate({ to: '.', search: updateQuery((before) => ({ ...before, month: value })), replace: true })
        }
      />
      {filter}
      <Button
        variant="default"
        disabled={!statement}
        leftSection={<IconDownload {...icon} />}
        className={styles['push'] ?? ''}
        onClick={save}
      >
        {t('Export CSV')}
      </Button>
      <Button disabled={!statement} leftSection={<IconPrinter {...icon} />} onClick={() => window.print()}>
        {t('Print or save as PDF')}
      </Button>
    </div>
  );
}

interface HeadProps {
  readonly organization: Organization;
  readonly month: string;
  readonly scope: Scope | undefined;
}

function Head({ organization, month, scope }: HeadProps) {
  const { t } = useTranslation();
  const { system_name } = useStatus();
  const self = useUser();
  const groups = useScopeGroups(organization, kinds);
  const items = groups.flatMap((group) => group.items);
  const name =
    scope?.kind === 'member' && scope.id === self?.id
      ? self.username
      : items.find(({ value }) => value === `${scope?.kind}:${scope?.id}`)?.label;
  return (
    <div>
      <Text c="dimmed">{system_name}</Text>
      <Title order={1}>{t('Statement {month}', { month })}</Title>
      <Text>
        {t('Organization {name}', { name: organization.name })}
        {scope &&
          name &&
          ` · ${scope.kind === 'member' ? t('Member {name}', { name }) : t('Project {name}', { name })}`}
      </Text>
    </div>
  );
}
