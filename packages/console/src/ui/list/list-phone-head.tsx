import { Button, Group } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useRef } from 'react';
import { useWords } from '../../i18n/translate.ts';
import styles from './list.module.css';
import { useBandHeight } from './list-band.ts';
import { AddButton, ListTitle, StatusFilter } from './list-head.tsx';
import { ListOrder } from './list-order.tsx';
import type { ListPageProps } from './list-props.ts';
import { ListSearch } from './list-search.tsx';

interface Fold {
  readonly isUnfolded: boolean;
  readonly setUnfolded: (isUnfolded: boolean) => void;
}

/** Phone variant: the search stays visible, and the rest can be expanded. */
export function ListPhoneHead<Row>({ fold, ...props }: ListPageProps<Row> & { readonly fold: Fold }) {
  const { list, columns, aside, statuses, quick, orders, switches, tools, searchLabel } = props;
  const order = <ListOrder list={list} columns={columns} orders={orders} />;
  return (
    <>
      <div className={styles['bar']}>
        <ListTitle {...props} />
        {aside}
        {tools && <div className={styles['tools']}>{tools}</div>}
        <AddButton {...props} />
      </div>
      {searchLabel ? <SearchBand {...props} fold={fold} /> : <div className={styles['filters']}>{order}</div>}
      {(statuses || quick) && (
        <div className={styles['quick']}>
          {quick}
          <StatusFilter {...props} />
        </div>
      )}
      {searchLabel && fold.isUnfolded && (
        <Group gap="sm" className={styles['filters'] ?? ''}>
          {order}
          {switches}
        </Group>
      )}
    </>
  );
}

function SearchBand<Row>({ fold, ...props }: ListPageProps<Row> & { readonly fold: Fold }) {
  const { t } = useWords();
  const { list, searchLabel = '', searchRef, narrowing } = props;
  const band = useRef<HTMLDivElement>(null);
  useBandHeight(band);
  return (
    <div ref={band} className={styles['searchBand']}>
      <ListSearch list={list} label={searchLabel} searchRef={searchRef} />
      <Button
        variant={narrowing?.isNarrowed ? 'light' : 'default'}
        px="sm"
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        aria-expanded={fold.isUnfolded}
        onClick={() => fold.setUnfolded(!fold.isUnfolded)}
      >
        {t('Filters')}
      </Button>
    </div>
  );
}
