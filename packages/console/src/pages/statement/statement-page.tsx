import { isAdmin, type Statement, type StatementCredit } from '@headgate/contract';
import { Anchor, Button, Group, NativeSelect, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { downloadText } from '../../lib/api/download.ts';
import { query } from '../../lib/page/address.ts';
import { useStatus } from '../../lib/page/status.ts';
import { LoadFailed } from '../../ui/load-failed.tsx';
import { useCreditDescription } from '../../ui/statement/credit-description.ts';
import styles from '../../ui/statement/statement.module.css';
import { statementCsv } from '../../ui/statement/statement-csv.ts';
import { StatementParties } from '../../ui/statement/statement-document.tsx';
import { latestMonths, monthOf } from '../../ui/statement/statement-month.ts';
import { StatementTables } from '../../ui/statement/statement-tables.tsx';
import { statementQuery } from './statement-queries.ts';

const offeredMonths = 24;

/** Monthly statement of the signed-in user or, for admins, of the user in the URL. */
export function StatementPage() {
  const { t } = useTranslation();
  const search = useSearch({ strict: false }) as { user?: unknown; month?: unknown };
  const self = useUser();
  const [now] = useState(() => new Date());
  const month = monthOf(typeof search.month === 'string' ? search.month : undefined, now);
  const asked = Number(search.user);
  const user = isAdmin(self) && asked > 0 && asked !== self?.id ? asked : undefined;
  const { data, error, refetch } = useQuery(statementQuery(user, month));
  const describe = useCreditDescription();
  return (
    <Stack gap="lg" maw={960} className={styles['statement'] ?? ''}>
      <Toolbar month={month.name} now={now} user={user} statement={data} describe={describe} />
      {error && !data && <LoadFailed title={t('The statement could not be loaded')} error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height={320} />}
      {data && (
        <>
          <Head statement={data} month={month.name} isLinked={user !== undefined} />
          <StatementParties document={data.document} buyer={data.username} />
          <StatementTables statement={data} describe={describe} />
        </>
      )}
    </Stack>
  );
}

interface ToolbarProps {
  readonly month: string;
  readonly now: Date;
  readonly user: number | undefined;
  readonly statement: Statement | undefined;
  readonly describe: (credit: StatementCredit) => string;
}

function Toolbar({ month, now, user, statement, describe }: ToolbarProps) {
  const { t } = useTranslation();
  const { quota_per_unit } = useStatus();
  const navigate = useNavigate();
  const months = latestMonths(now, offeredMonths);
  const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
  const save = () => {
    if (!statement) return;
    const text = statementCsv(statement, {
      ...{ t, describe, pointsPerUnit: quota_per_unit },
      buyer: statement.username,
    });
    downloadText(`statement-${statement.username}-${month}.csv`, text, 'text/csv');
  };
  return (
    <Group align="flex-end" gap="xs" className={styles['toolbar'] ?? ''}>
      <NativeSelect
        label={t('Month')}
        value={month}
        data={months.includes(month) ? [...months] : [month, ...months]}
        onChange={({ currentTarget: { value } }) =>
          void navigate({ to: '/statement', search: query({ user, month: value }) })
        }
      />
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
    </Group>
  );
}

interface HeadProps {
  readonly statement: Statement;
  readonly month: string;
  readonly isLinked: boolean;
}

function Head({ statement: { user_id, username }, month, isLinked }: HeadProps) {
  const { t } = useTranslation();
  const { system_name } = useStatus();
  return (
    <div>
      <Text c="dimmed">{system_name}</Text>
      <Title order={1}>{t('Statement {month}', { month })}</Title>
      <Text>
        {t('User')}:{' '}
        {isLinked ? (
          <Anchor component={Link} to={`/user/view/${user_id}`}>
            {username}
          </Anchor>
        ) : (
          username
        )}
      </Text>
    </div>
  );
}
