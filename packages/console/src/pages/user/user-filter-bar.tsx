import { roles } from '@headgate/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { formatMoney } from '../../lib/format/format.ts';
import type { ListFilters } from '../../lib/list/list-filters.ts';
import { useStatus } from '../../lib/page/status.ts';
import { FilterBar, FilterChoice } from '../../ui/list/filter-bar.tsx';
import { groupsQuery, type UserFilterName, userList } from './user-queries.ts';

/** Balance thresholds in dollars. */
const steps = [1, 10] as const;

/** Filters users by role, group and balance. */
export function UserFilterBar({ control }: { readonly control: ListFilters<UserFilterName> }) {
  const { t, label } = useTranslation();
  const { quota_per_unit } = useStatus();
  const { filters, change } = control;
  const { data: groups = [] } = useQuery(groupsQuery);
  const below = steps.map((dollars) => ({
    value: `below ${dollars * quota_per_unit}`,
    label: t('Less than {amount}', { amount: formatMoney(dollars) }),
  }));
  const max = Math.max(...steps);
  const balances = [
    { value: 'below 1', label: t('Used up') },
    ...below,
    { value: `from ${max * quota_per_unit}`, label: t('{amount} or more', { amount: formatMoney(max) }) },
  ];
  const chooseBalance = (value: string | undefined) => {
    const [bound, points] = value?.split(' ') ?? [];
    change({
      quota_from: bound === 'from' ? points : undefined,
      quota_below: bound === 'below' ? points : undefined,
    });
  };
  return (
    <FilterBar list={userList}>
      <FilterChoice
        label={t('Role')}
        options={Object.entries(roles).map(([value, row]) => ({ value, label: label(row.label) }))}
        value={filters.role}
        onChange={(role) => change({ role })}
      />
      <FilterChoice
        label={t('Group')}
        options={groups.map((group) => ({ value: group, label: group }))}
        value={filters.group}
        onChange={(group) => change({ group })}
      />
      <FilterChoice
        label={t('Balance')}
        options={balances}
        value={
          filters.quota_below ? `below ${filters.quota_below}` : filters.quota_from && `from ${filters.quota_from}`
        }
        onChange={chooseBalance}
      />
    </FilterBar>
  );
}
