import { Button, Group } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import styles from './list.module.css';
import { AddButton, ListTitle, StatusFilter } from './list-head.tsx';
import { ListOrder } from './list-order.tsx';
import type { ListPageProps } from './list-props.ts';
import { ListSearch } from './list-search.tsx';
import { useToolbarHeight } from './toolbar-height.ts';

interface CollapseState {
  readonly isUnfolded: boolean;
  readonly setUnfolded: (isUnfolded: boolean) => void;
}

/** Phone variant: the search stays visible, and the rest can be expanded. */
export function ListPhoneHead<Row>({ fold, ...props }: ListPageProps<Row> & { readonly fold: CollapseState }) {
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
      {searchLabel ? <SearchToolbar {...props} fold={fold} /> : <div className={styles['filters']}>{order}</div>}
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

function SearchToolbar<Row>({ fold, ...props }: ListPageProps<Row> & { readonly fold: CollapseState }) {
  const { t } = useTranslation();
  const { list, searchLabel = '', searchRef, customFilters } = props;
  const band = useRef<HTMLDivElement>(null);
  useToolbarHeight(band);
  return (
    <div ref={band} className={styles['searchBand']}>
      <ListSearch list={list} label={searchLabel} searchRef={searchRef} />
      <Button
        variant={customFilters?.isNarrowed ? 'light' : 'default'}
        px="sm"
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        aria-expanded={fold.isUnfolded}
        onClick={() => fold.setUnfolded(!fold.isUnfolded)}
      >
        <span className={styles['filtersLabel']}>{t('Filters')}</span>
      </Button>
    </div>
  );
}
