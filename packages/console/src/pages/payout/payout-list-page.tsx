import { type Payout, type PayoutState, payoutStateNames, payoutStates } from '@headgate/contract';
import { NativeSelect, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { useList } from '../../lib/list/list.ts';
import { updateQuery } from '../../lib/page/address.ts';
import type { Column } from '../../ui/list/column.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { Dot } from '../../ui/status-dot.tsx';
import { Time } from '../../ui/time.tsx';
import { PayoutDialog } from './payout-dialog.tsx';
import { payoutList, readPayoutState, readPayouts } from './payout-queries.ts';

interface Closing {
  readonly payout: Payout;
  readonly state: 'paid' | 'rejected';
}

/** Payout requests of all users. */
export function PayoutListPage() {
  const { t, label } = useTranslation();
  const format = useQuotaFormat();
  const navigate = useNavigate();
  const { state: given } = useSearch({ strict: false }) as { readonly state?: unknown };
  const state = readPayoutState(given);
  const list = useList<Payout>({ name: payoutList, read: readPayouts(state), dependencies: state });
  const [closing, setClosing] = useState<Closing>();
  const setState = (next: PayoutState | undefined) =>
    void navigate({
      to: '.',
      search: updateQuery((before) => ({ ...before, p: undefined, state: next })),
      replace: true,
    });
  return (
    <ListPage
      title={t('Payouts')}
      list={list}
      columns={useColumns()}
      rowKey={({ id }) => id}
      rowName={({ username, id }) => `${username} #${id}`}
      actions={(payout) => [
        {
          label: t('Mark as paid'),
          icon: IconCheck,
          isPrimary: true,
          isDisabled: payout.state !== 'requested',
          onClick: () => setClosing({ payout, state: 'paid' }),
        },
        {
          label: t('Reject'),
          icon: IconX,
          isDisabled: payout.state !== 'requested',
          onClick: () => setClosing({ payout, state: 'rejected' }),
        },
      ]}
      quick={
        <NativeSelect
          aria-label={t('Status')}
          value={state ?? ''}
          data={[
            { value: '', label: t('All') },
            ...payoutStateNames.map((name) => ({ value: name, label: label(payoutStates[name].label) })),
          ]}
          onChange={({ currentTarget: { value } }) => setState(readPayoutState(value))}
        />
      }
      customFilters={{ isNarrowed: state !== undefined, clear: () => setState(undefined) }}
      emptyText={t('No payouts yet')}
      card={(payout) => ({
        title: payout.username,
        status: <PayoutStateDot payout={payout} />,
        facts: [
          { name: t('Amount'), value: format(payout.quota), isPlain: true },
          { name: t('Payment details'), value: payout.details },
          { name: t('Created'), value: <Time seconds={payout.created_time} />, isPlain: true },
        ],
      })}
    >
      {closing && <PayoutDialog {...closing} onClosed={() => setClosing(undefined)} />}
    </ListPage>
  );
}

function PayoutStateDot({ payout: { state } }: { readonly payout: Payout }) {
  const { label } = useTranslation();
  return <Dot color={payoutStates[state].color} text={label(payoutStates[state].label)} />;
}

function useColumns(): readonly Column<Payout>[] {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  return [
    { id: 'id', title: t('ID'), isNumber: true, width: 84, cell: ({ id }) => id },
    { id: 'username', title: t('User'), width: 130, grow: 1, cell: ({ username }) => username },
    { id: 'state', title: t('Status'), width: 120, cell: (payout) => <PayoutStateDot payout={payout} /> },
    { id: 'quota', title: t('Amount'), width: 110, isNumber: true, cell: ({ quota }) => format(quota) },
    {
      id: 'details',
      title: t('Payment details'),
      width: 200,
      grow: 3,
      cell: ({ details }) => (
        <Text span inherit style={{ overflowWrap: 'anywhere' }}>
          {details}
        </Text>
      ),
    },
    {
      id: 'created',
      title: t('Created'),
      width: 144,
      grow: 1,
      cell: ({ created_time }) => <Time seconds={created_time} />,
    },
  ];
}
