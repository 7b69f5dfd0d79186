import type { MinimalTables, Row, Table } from './rows.ts';

interface RouteRequest {
  /** Values matched by the path's wildcards. */
  readonly ids: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Row;
}

/** Fields of the response besides `success` and `message`, or an error message. */
type RouteResponse = Readonly<Record<string, unknown>> | string;

type Routes = Readonly<Record<string, (request: RouteRequest) => RouteResponse>>;

const pageLength = 10;

const page = (rows: Table, query: URLSearchParams) => {
  const first = Number(query.get('p')) * pageLength;
  return { data: rows.slice(first, first + pageLength) };
};

const found = (rows: Table, query: URLSearchParams, ...fields: readonly string[]) => ({
  data: rows.filter((row) => fields.some((field) => String(row[field]).includes(query.get('keyword') ?? ''))),
});

const rowOf = (rows: Table, id: string | number): Row | undefined => rows.find((row) => String(row.id) === String(id));

function remove(rows: Table, isGone: (row: Row) => boolean): number {
  const kept = rows.filter((row) => !isGone(row));
  return rows.splice(0, rows.length, ...kept).length - kept.length;
}

/** Endpoints that all resources have in common. Changes return no row. */
function tableRoutes(name: string, rows: Table, written: Readonly<Record<string, unknown>>): Routes {
  const path = `/api/${name}/`;
  return {
    [`GET ${path}`]: ({ query }) => page(rows, query),
    [`GET ${path}search`]: ({ query }) => found(rows, query, 'id', 'name', 'username', 'key'),
    [`GET ${path}*`]: ({ ids: [id = ''] }) => {
      const row = rowOf(rows, id);
      return row ? { data: row } : 'invalid id';
    },
    [`POST ${path}`]: ({ body }) => {
      rows.unshift({ ...written, status: 1, role: 1, ...body, id: Math.max(0, ...rows.map(({ id }) => id)) + 1 });
      return {};
    },
    [`PUT ${path}`]: ({ body, query }) => {
      const row = rowOf(rows, body.id);
      if (!row) return 'no such row';
      const isPart = query.get('status_only') !== null || Object.keys(body).length === 2;
      // Fields missing in the body of an edit are cleared.
      Object.assign(row, isPart ? body : { ...written, ...body });
      return { data: null };
    },
    [`DELETE ${path}*/`]: ({ ids: [id = ''] }) => {
      remove(rows, (row) => String(row.id) === id);
      return {};
    },
  };
}

const ok = () => ({});
const login = () => ({ data: { id: 1, username: 'admin', role: 100 } });

const sessionRoutes = (self: () => Row): Routes => ({
  'POST /api/user/login': login,
  'GET /api/user/logout': ok,
  'POST /api/user/register': ok,
  'GET /api/verification': ok,
  'GET /api/reset_password': ok,
  'POST /api/user/reset': () => ({ data: 'new-password' }),
  'GET /api/oauth/state': () => ({ data: 'state' }),
  'GET /api/oauth/github': ({ query }) => (query.get('code') === 'bind' ? { message: 'bind' } : login()),
  'GET /api/oauth/lark': login,
  'GET /api/oauth/wechat': login,
  'GET /api/oauth/wechat/bind': ok,
  'GET /api/oauth/email/bind': ({ query }) => {
    Object.assign(self(), { email: query.get('email') });
    return {};
  },
  'GET /api/user/self': () => ({ data: self() }),
  'PUT /api/user/self': ({ body: { display_name = '' } }) => {
    Object.assign(self(), { display_name });
    return {};
  },
  'GET /api/user/token': () => ({ data: 'access-token' }),
  'GET /api/user/aff': () => ({ data: 'AFF4' }),
  'DELETE /api/user/self': ok,
  'POST /api/user/topup': ({ body: { key } }) => (key === 'good' ? { data: 1_000_000 } : 'no such code'),
});

const changes: Readonly<Record<string, Partial<Row>>> = {
  enable: { status: 1 },
  disable: { status: 2 },
  promote: { role: 10 },
  demote: { role: 1 },
};

const manageRoutes = (user: Table): Routes => ({
  'POST /api/user/manage': ({ body: { username, action } }) => {
    const row = user.find((one) => one['username'] === username);
    if (!row) return 'no such user';
    Object.assign(row, changes[String(action)]);
    if (action !== 'delete') return { data: { status: row.status, role: row['role'] } };
    remove(user, (one) => one === row);
    return { data: null };
  },
});

const catalogueRoutes = ({ option }: MinimalTables): Routes => ({
  'GET /api/status': () => ({
    data: {
      system_name: option.get('SystemName'),
      logo: '',
      footer_html: '',
      quota_per_unit: 500_000,
      display_in_currency: true,
      chat_link: option.get('ChatLink') ?? '',
      top_up_link: '',
      server_address: '',
      version: 'v1',
      email_verification: true,
      turnstile_check: false,
      turnstile_site_key: null,
      github_oauth: true,
      github_client_id: 'client',
      wechat_login: true,
      wechat_qrcode: '',
      lark_client_id: '',
    },
  }),
  'GET /api/models': () => ({ data: { 1: ['gpt-4o', 'gpt-4o-mini'], 2: null, 999: ['unknown'] } }),
  'GET /api/channel/models': () => ({ data: [{ id: 'gpt-4o' }, { id: 'deepseek-chat' }] }),
  'GET /api/user/available_models': () => ({ data: ['gpt-4o'] }),
  'GET /api/group/': () => ({ data: ['default', 'vip'] }),
  'GET /api/option/': () => ({ data: [...option].map(([key, value]) => ({ key, value })) }),
  'PUT /api/option/': ({ body: { key, value } }) => {
    option.set(String(key), String(value));
    return {};
  },
});

const channelRoutes = (channel: Table): Routes => ({
  'DELETE /api/channel/disabled': () => ({ data: remove(channel, ({ status }) => status !== 1) }),
  'GET /api/channel/test': ok,
  'GET /api/channel/test/*': ({ ids: [id = ''] }) =>
    rowOf(channel, id) ? { time: 0.5, model: 'gpt-4o' } : 'invalid id',
  'GET /api/channel/update_balance/*/': () => ({ balance: 12.5 }),
});

const logFilters = ['type', 'username', 'token_name', 'model_name', 'channel'];

function logRoutes(log: Table): Routes {
  const isWanted = (row: Row, query: URLSearchParams) => (name: string) => {
    const wanted = query.get(name) ?? '';
    return wanted === '' || wanted === '0' || String(row[name]) === wanted;
  };
  const logs = (query: URLSearchParams) => log.filter((row) => logFilters.every(isWanted(row, query)));
  const list = ({ query }: RouteRequest) => page(logs(query), query);
  const stat = ({ query }: RouteRequest) => ({ data: { quota: logs(query).length * 500_000 } });
  return {
    'GET /api/log/': list,
    'GET /api/log/self/': list,
    'GET /api/log/stat': stat,
    'GET /api/log/self/stat': stat,
    'DELETE /api/log/': () => ({ data: 7 }),
  };
}

const emptied = {
  user: { username: '', display_name: '', group: '', quota: 0, used_quota: 0, request_count: 0 },
  token: { name: '', key: 'new-key', remain_quota: 0, used_quota: 0, expired_time: 0, models: '', subnet: '' },
  channel: { name: '', models: '', group: '', base_url: '', type: 0 },
  redemption: { name: '', quota: 0 },
};

/** All calls of section 7, with only the parameters and fields named there. */
export function minimalRoutes(tables: MinimalTables): Routes {
  const { user, token, channel, redemption, log } = tables;
  const self = () => user.find(({ username }) => username === 'admin') ?? { id: 0 };
  return {
    ...tableRoutes('user', user, emptied.user),
    ...tableRoutes('token', token, emptied.token),
    ...tableRoutes('channel', channel, emptied.channel),
    ...tableRoutes('redemption', redemption, emptied.redemption),
    'POST /api/redemption/': ({ body }) => {
      redemption.unshift({ ...body, id: 24, key: 'fresh-code', status: 1, created_time: 0, redeemed_time: 0 });
      return { data: ['fresh-code'] };
    },
    ...sessionRoutes(self),
    ...manageRoutes(user),
    ...catalogueRoutes(tables),
    ...channelRoutes(channel),
    ...logRoutes(log),
  };
}
