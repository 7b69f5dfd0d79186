import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { updateQuery } from '../../lib/page/address.ts';
import { type LogFilters, readFilters, writeFilters } from './log-filters.ts';
import { logList } from './log-queries.ts';

export interface LogFilterControl {
  readonly filters: LogFilters;
  /** Applies filters, refetches and returns to the first page. */
  apply(filters: LogFilters): void;
}

export function useLogFilters(): LogFilterControl {
  const filters = readFilters(useSearch({ strict: false }) as Record<string, string>);
  const navigate = useNavigate();
  const queries = useQueryClient();
  return {
    filters,
    apply(next) {
      const search = { ...writeFilters(next), page: undefined };
      const isSame = JSON.stringify(writeFilters(next)) === JSON.stringify(writeFilters(filters));
      // A changed filter fetches new rows anyway, so cached pages are only invalidated.
      void queries.invalidateQueries({ queryKey: [logList], refetchType: isSame ? 'active' : 'none' });
      void navigate({ to: '.', search: updateQuery((before) => ({ ...before, ...search })), replace: true });
    },
  };
}
