import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { noData } from '../wire/list.ts';

/** Lists with saved views. */
export const listsWithViews = ['channel', 'token', 'user', 'redemption', 'log', 'prices', 'usage'] as const;

export const viewNameLength = { max: 60 } as const;
/** Maximum number of saved views per user and list. */
export const maxViewsPerList = 50;
const maxQueryLength = 2000;

const list = z.enum(listsWithViews);
const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(viewNameLength.max));

export const savedView = z.object({
  name,
  /** Query string of the list, without the question mark. */
  query: z.string().check(z.maxLength(maxQueryLength)),
});
export type SavedView = z.infer<typeof savedView>;

export const viewApi = {
  list: {
    method: 'GET',
    path: '/api/view/',
    access: 'user',
    query: z.object({ list }),
    reply: z.array(savedView),
  },
  save: {
    method: 'PUT',
    path: '/api/view/',
    access: 'user',
    body: z.extend(savedView, { list }),
    reply: noData,
  },
  remove: {
    method: 'DELETE',
    path: '/api/view/',
    access: 'user',
    query: z.object({ list, name }),
    reply: noData,
  },
} as const satisfies EndpointTable;
