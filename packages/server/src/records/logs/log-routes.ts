import type { logApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import { requestedFormat } from '../exports/export-format.ts';
import type { FailureCountRepository } from './failure-count-repository.ts';
import type { LogCleaningService } from './log-cleaning-service.ts';
import type { LogExportService } from './log-export-service.ts';
import { parseLogFilter } from './log-filter.ts';
import type { LogCursor, LogListRepository, LogPage } from './log-list-repository.ts';
import type { LogSearchRepository } from './log-search-repository.ts';
import type { LogSuggestionRepository } from './log-suggestion-repository.ts';
import { presentLog, presentOwnLog } from './present-log.ts';

interface LogRoutesDependencies {
  readonly logLists: LogListRepository;
  readonly logSearch: LogSearchRepository;
  readonly logCleaning: LogCleaningService;
  readonly logExports: LogExportService;
  readonly failureCounts: FailureCountRepository;
  readonly logSuggestions: LogSuggestionRepository;
}

/** Own logs are found by user id, because another user may have had the same name before. */
export const logRoutes = ({
  logLists,
  logSearch,
  logCleaning,
  logExports,
  failureCounts,
  logSuggestions,
}: LogRoutesDependencies): Handlers<typeof logApi> => ({
  list: async ({ query }) => presentPage(await logLists.page(parseLogFilter(query), query, readCursor(query.before))),
  listOwn: async ({ query, caller }) =>
    presentPage(
      await logLists.page(parseLogFilter({ ...query, user_id: caller.id }), query, readCursor(query.before)),
      presentOwnLog,
    ),
  export: ({ query, caller, client }) =>
    logExports.start(caller, parseLogFilter(query), { ...requestedFormat(query, client), isForAdmins: true }),
  exportOwn: ({ query, caller, client }) =>
    logExports.start(caller, parseLogFilter({ ...query, user_id: caller.id }), {
      ...requestedFormat(query, client),
      isForAdmins: false,
    }),
  stat: async ({ query }) => ({ quota: await logLists.consumedQuota(parseLogFilter(query)) }),
  statOwn: async ({ query, caller }) => ({
    quota: await logLists.consumedQuota(parseLogFilter({ ...query, user_id: caller.id })),
  }),
  search: async ({ query }) => (await logSearch.latest(query.keyword)).map(presentLog),
  searchOwn: async ({ query, caller }) => (await logSearch.latest(query.keyword, caller.id)).map(presentOwnLog),
  suggest: ({ query: { field, keyword: text } }) => {
    if (field === 'channel') return logSuggestions.channels(text);
    return field === 'model_name' ? logSuggestions.models(text) : logSuggestions.owners(field, text);
  },
  suggestOwn: ({ query: { field, keyword: text }, caller }) =>
    field === 'model_name' ? logSuggestions.modelsOf(caller.id, text) : logSuggestions.owners(field, text, caller.id),
  failures: ({ query }) => failureCounts.counts(query),
  clean: ({ query, caller }) => logCleaning.clean(caller, query.target_timestamp),
});

const presentPage = ({ rows, total, isMore }: LogPage, each = presentLog) => ({
  rows: rows.map(each),
  total,
  isMore,
});

function readCursor(text: string): LogCursor | undefined {
  const [created_at, id] = text.split('-').map(Number);
  return id === undefined ? undefined : { created_at: created_at ?? 0, id };
}
