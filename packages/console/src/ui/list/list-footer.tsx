import { Button, Group, NativeSelect, Pagination, Text } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import { formatNumber } from '../../lib/format/format.ts';
import type { List } from '../../lib/list/list.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import styles from './list.module.css';
import type { OlderRows } from './list-props.ts';

const sizes = ['10', '20', '50', '100'];
const byHeight = 'auto';

interface ListFooterProps<Row> {
  readonly list: List<Row>;
  readonly older?: OlderRows | undefined;
}

/** Range of visible rows, page size and pager. */
export function ListFooter<Row>({ list, older }: ListFooterProps<Row>) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const { p, size } = list.state;
  const first = formatNumber(p * list.size + 1);
  const last = formatNumber(p * list.size + list.loaded);
  const isKnown = list.isAutoSize || sizes.includes(String(size));
  const choose = (value: string) => (value === byHeight ? list.resetSize() : list.change({ size: Number(value) }));
  if (list.loaded === 0) return null;
  return (
    <div className={styles['footer']}>
      <Group gap="sm">
        <Text size="sm" c="dimmed" aria-live="polite">
          {list.total === undefined
            ? t('{first}–{last}', { first, last })
            : t('{first}–{last} of {total}', {
                first,
                last,
                total: `${formatNumber(list.total)}${list.hasMore ? '+' : ''}`,
              })}
        </Text>
        {list.total !== undefined && (
          <NativeSelect
            size="xs"
            aria-label={t('Rows per page')}
            value={list.isAutoSize ? byHeight : String(size)}
            data={[
              { value: byHeight, label: t('Auto ({count})', { count: list.sizeByHeight }) },
              ...(isKnown ? sizes : [String(size), ...sizes]),
            ]}
            onChange={(event) => choose(event.currentTarget.value)}
          />
        )}
      </Group>
      <Group gap="sm" justify="center">
        <Pagination
          size="sm"
          siblings={isPhone ? 0 : 1}
          total={list.pageCount}
          value={p + 1}
          onChange={(page) => list.change({ p: page - 1 })}
          getControlProps={(control) => ({
            'aria-label': {
              next: t('Next page'),
              previous: t('Previous page'),
              first: t('First page'),
              last: t('Last page'),
            }[control],
          })}
          getItemProps={(page) => ({ 'aria-label': t('Page {page}', { page }) })}
        />
        {older && list.hasMore && p === list.pageCount - 1 && (
          <Button size="compact-sm" variant="default" onClick={older.show}>
            {older.label}
          </Button>
        )}
      </Group>
    </div>
  );
}
