import { payoutStates, shareStates } from '@headgate/contract';
import { Pagination, Paper, Table, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { Dot } from '../../ui/status-dot.tsx';
import { Time } from '../../ui/time.tsx';
import { ownPayoutsQuery, rowsPerPage, sharesQuery } from './referral-queries.ts';

/** Shares of the orders of invited users; hidden if there are none. */
export function ReferralShares() {
  const { t, label } = useTranslation();
  const format = useQuotaFormat();
  const [page, setPage] = useState(1);
  const { data } = useQuery(sharesQuery(page - 1));
  if (!data?.total) return null;
  const headings = [t('Time'), t('User'), t('Share'), t('Status'), t('Available from')];
  return (
    <Section title={t('Referral shares')} headings={headings} total={data.total} page={page} onPage={setPage}>
      {data.rows.map(({ id, created_time, username, quota, state, available_time }) => (
        <Table.Tr key={id}>
          <Table.Td>
            <Time seconds={created_time} />
          </Table.Td>
          <Table.Td>{username}</Table.Td>
          <Table.Td>{format(quota)}</Table.Td>
          <Table.Td>
            <Dot color={shareStates[state].color} text={label(shareStates[state].label)} />
          </Table.Td>
          <Table.Td>
            <Time seconds={available_time} />
          </Table.Td>
        </Table.Tr>
      ))}
    </Section>
  );
}

/** Payout requests of the user; hidden if there are none. */
export function OwnPayouts() {
  const { t, label } = useTranslation();
  const format = useQuotaFormat();
  const [page, setPage] = useState(1);
  const { data } = useQuery(ownPayoutsQuery(page - 1));
  if (!data?.total) return null;
  const headings = [t('Time'), t('Amount'), t('Status'), t('Note')];
  return (
    <Section title={t('Payouts')} headings={headings} total={data.total} page={page} onPage={setPage}>
      {data.rows.map(({ id, created_time, quota, state, note }) => (
        <Table.Tr key={id}>
          <Table.Td>
            <Time seconds={created_time} />
          </Table.Td>
          <Table.Td>{format(quota)}</Table.Td>
          <Table.Td>
            <Dot color={payoutStates[state].color} text={label(payoutStates[state].label)} />
          </Table.Td>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>{note}</Table.Td>
        </Table.Tr>
      ))}
    </Section>
  );
}

interface SectionProps {
  readonly title: string;
  readonly headings: readonly string[];
  readonly total: number;
  readonly page: number;
  readonly onPage: (page: number) => void;
  readonly children: ReactNode;
}

function Section({ title, headings, total, page, onPage, children }: SectionProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby={id}>
      <Title order={2} size="h3" mb="sm" id={id}>
        {title}
      </Title>
      <Table.ScrollContainer minWidth={480}>
        <Table aria-labelledby={id}>
          <Table.Thead>
            <Table.Tr>
              {headings.map((heading) => (
                <Table.Th key={heading}>{heading}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>{children}</Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {total > rowsPerPage && (
        <Pagination
          mt="md"
          size="sm"
          total={Math.ceil(total / rowsPerPage)}
          value={page}
          onChange={onPage}
          getControlProps={(control) => ({ 'aria-label': control === 'next' ? t('Next page') : t('Previous page') })}
        />
      )}
    </Paper>
  );
}
