import type { Log, logApi } from '@headgate/contract';
import type { Handlers } from '../http/handlers.ts';
import type { LogCleaningService } from './log-cleaning-service.ts';
import { filterOf } from './log-filter.ts';
import type { LogListRepository } from './log-list-repository.ts';
import type { LogRow } from './log-repository.ts';
import type { LogSearchRepository } from './log-search-repository.ts';

interface LogRoutesDependencies {
  readonly logLists: LogListRepository;
  readonly logSearch: LogSearchRepository;
  readonly logCleaning: LogCleaningService;
}

/** Own logs are found by the user's id: a name may have been another's before. */
export const logRoutes = ({ logLists, logSearch, logCleaning }: LogRoutesDependencies): Handlers<typeof logApi> => ({
  list: async ({ query }) => presentPage(await logLists.page(filterOf(query), query)),
  listOwn: async ({ query, caller }) =>
    presentPage(await logLists.page(filterOf({ ...query, user_id: caller.id }), query), presentOwn),
  stat: async ({ query }) => ({ quota: await logLists.consumedQuota(filterOf(query)) }),
  statOwn: async ({ query, caller }) => ({
    quota: await logLists.consumedQuota(filterOf({ ...query, user_id: caller.id })),
  }),
  search: async ({ query }) => (await logSearch.latest(query.keyword)).map(present),
  searchOwn: async ({ query, caller }) => (await logSearch.latest(query.keyword, caller.id)).map(presentOwn),
  clean: ({ query, caller }) => logCleaning.clean(caller, query.target_timestamp),
});

const presentPage = ({ rows, total }: { rows: LogRow[]; total: number }, each = present) => ({
  rows: rows.map(each),
  total,
});

const present = (row: LogRow): Log => ({
  ...row,
  is_stream: row.is_stream === 1,
  system_prompt_reset: row.system_prompt_reset === 1,
});

/** What the operator pays is the operator's. */
const presentOwn = (row: LogRow): Log => ({ ...present(row), cost: 0 });
