import { neverExpires, type Token, tokenKeyPrefix, tokenStatuses } from '@headgate/contract';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { selfQuery } from '../../lib/account/self-query.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { useList } from '../../lib/list/list.ts';
import { filterParameters } from '../../lib/list/list-state.ts';
import { useStatus } from '../../lib/page/status.ts';
import { ListExport, ListExportProgress } from '../../ui/export/list-export.tsx';
import type { Card } from '../../ui/list/column.ts';
import { useCopyFallback } from '../../ui/list/copy-fallback.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { ViewsSlot } from '../../ui/list/views-slot.tsx';
import { SecretText } from '../../ui/secret-text.tsx';
import { Time } from '../../ui/time.tsx';
import { lockReason, TokenStatus } from '../../ui/token-status.tsx';
import { useTokenBulk } from './bulk/token-bulk.tsx';
import { CreatedToken } from './created-token.tsx';
import { useTokenActions } from './token-actions.tsx';
import { PayloadLoggingBadge, TokenBudget, useTokenColumns } from './token-columns.tsx';
import { countTokens, exportTokens, readTokens, tokenList } from './token-queries.ts';
import { TokensLocked } from './tokens-locked.tsx';

export function TokenListPage() {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const list = useList<Token>({ name: tokenList, read: readTokens, counts: countTokens });
  const { searchRef, showForCopying } = useCopyFallback();
  const actions = useTokenActions(showForCopying);
  const columns = useTokenColumns(list.rows);
  const card = useTokenCard(actions.copy);
  const { selection, dialog } = useTokenBulk(list);
  const isLocked = useQuery(selfQuery).data?.tokens_locked === true;
  return (
    <ListPage
      title={t('Tokens')}
      list={list}
      columns={columns}
      rowKey={(token) => token.id}
      rowName={(token) => token.name || `#${token.id}`}
      actions={actions.of}
      statuses={tokenStatuses}
      selection={selection}
      tools={
        <>
          <ViewsSlot list={tokenList} />
          {extensions && (
            <ListExport
              list={tokenList}
              isEmpty={list.rows.length === 0}
              ask={exportTokens({ filter: filterParameters(list.state) })}
            />
          )}
        </>
      }
      searchLabel={t('Search by name')}
      searchRef={searchRef}
      orders={[
        { value: '', label: t('Default order') },
        { value: 'remain_quota', label: t('Remaining quota') },
        { value: 'used_quota', label: t('Used quota') },
      ]}
      {...(!isLocked && { add: { label: t('Add token'), to: '/token/add' } })}
      emptyText={t('You have no tokens yet')}
      card={card}
    >
      <ListExportProgress list={tokenList} />
      {isLocked && <TokensLocked />}
      <CreatedToken rows={list.rows} />
      {actions.dialog}
      {dialog}
    </ListPage>
  );
}

/** Phone card of a token. */
function useTokenCard(onCopy: (token: Token) => void) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  return (token: Token): Card => ({
    title: (
      <>
        {token.name || t('None')}
        <Suspense>
          <PayloadLoggingBadge token={token} />
        </Suspense>
      </>
    ),
    status: <TokenStatus token={token} />,
    facts: [
      ...(token.is_locked ? [{ name: t('Reason'), value: lockReason(t, token) }] : []),
      {
        name: t('Key'),
        value:
          token.key === '' ? (
            t('Shown after first use')
          ) : (
            <SecretText text={tokenKeyPrefix + token.key} onCopy={() => onCopy(token)} />
          ),
        isPlain: token.key !== '',
      },
      {
        name: t('Remaining'),
        value: (
          <>
            {token.unlimited_quota ? t('Unlimited') : format(token.remain_quota)}
            <Suspense>
              <TokenBudget token={token} isShort />
            </Suspense>
          </>
        ),
      },
      { name: t('Spent'), value: format(token.used_quota) },
      {
        name: t('Expires'),
        value: token.expired_time === neverExpires ? t('Never') : <Time seconds={token.expired_time} />,
      },
    ],
  });
}
