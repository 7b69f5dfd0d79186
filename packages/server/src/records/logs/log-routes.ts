import type { Log, logApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { LogRow } from '../../platform/db/rows.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { requestedFormat } from '../exports/export-format.ts';
import type { FailureCountRepository } from './failure-count-repository.ts';
import type { LogCleaningService } from './log-cleaning-service.ts';
import { readCursor } from './log-cursor.ts';
import type { LogExportService } from './log-export-service.ts';
import { parseLogFilter } from './log-filter.ts';
import type { LogListRepository } from './log-list-repository.ts';
import type { LogOverviewService } from './log-overview-service.ts';
import type { LogSearchRepository } from './log-search-repository.ts';
import type { LogSuggestionRepository } from './log-suggestion-repository.ts';
import type { OwnLogService } from './own-log-service.ts';
import { presentLog, presentOwnLog } from './present-log.ts';

interface LogRoutesDependencies {
  readonly logLists: LogListRepository;
  readonly ownLogs: OwnLogService;
  readonly logSearch: LogSearchRepository;
  readonly logCleaning: LogCleaningService;
  readonly logExports: LogExportService;
  readonly failureCounts: FailureCountRepository;
  readonly logSuggestions: LogSuggestionRepository;
  readonly logOverview: LogOverviewService;
}

/** Own logs are found by user id, because another user may have had the same name before. */
export const logRoutes = ({
  logLists,
  ownLogs,
  logSearch,
  logCleaning,
  logExports,
  failureCounts,
  logSuggestions,
  logOverview,
}: LogRoutesDependencies): Handlers<typeof logApi> => ({
  list: async ({ query }) => {
    const page = await logLists.page(parseLogFilter(query), query, readCursor(query.before), readCursor(query.after));
    return { ...page, rows: await withChannelNames(logLists, page.rows) };
  },
  listOwn: ({ query, caller }) => ownLogs.page({ ...query, user_id: caller.id }, query),
  histogram: ({ query }) => logOverview.histogram(parseLogFilter(query)),
  histogramOwn: ({ query, caller }) => logOverview.histogram(parseLogFilter({ ...query, user_id: caller.id })),
  facets: ({ query }) => logOverview.facets(parseLogFilter(query)),
  facetsOwn: ({ query, caller }) => logOverview.facets(parseLogFilter({ ...query, user_id: caller.id })),
  entry: async ({ query }) => {
    const [found] = await withChannelNames(logLists, [await findLog(logLists, query.key)]);
    return found ?? notFound();
  },
  entryOwn: async ({ query, caller }) => presentOwnLog(await findLog(logLists, query.key, caller.id)),
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

async function withChannelNames(lists: LogListRepository, rows: readonly LogRow[]): Promise<Log[]> {
  const names = await lists.channelNames(rows.map(({ channel }) => channel));
  return rows.map((row) => ({ ...presentLog(row), channel_name: names.get(row.channel) ?? '' }));
}

/** Found by cursor or request id. */
async function findLog(lists: LogListRepository, key: string, userId?: number): Promise<LogRow> {
  const cursor = /^\d{1,15}-\d{1,15}$/.test(key) ? readCursor(key) : undefined;
  const found = cursor ? await lists.find(cursor, userId) : await lists.findRequest(key, userId);
  return found ?? notFound();
}

function notFound(): never {
  throw new ApiError('notFound');
}
