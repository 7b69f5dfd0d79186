/** Rows with only the fields named in section 3 of the specification. */
export interface Row {
  id: number;
  name?: string;
  status?: number;
  [field: string]: unknown;
}

export type Table = Row[];

const seconds = 1_790_000_000;

/** Newest first, as in a list. */
const rows = (count: number, row: (id: number) => Row): Table =>
  Array.from({ length: count }, (_, index) => row(count - index));

const user = (id: number): Row => ({
  id,
  username: `user-${id}`,
  display_name: `User ${id}`,
  email: null,
  group: '',
  quota: 500_000 * id,
  used_quota: id,
  request_count: id,
  role: 1,
  status: 1,
});

const root = (): Row => ({ ...user(1), username: 'admin', display_name: 'Admin', role: 100 });

const token = (id: number): Row => ({
  id,
  name: `token-${id}`,
  key: `key-of-token-${id}`,
  status: 1,
  used_quota: 0,
  remain_quota: 1000 * id,
  unlimited_quota: false,
  created_time: seconds,
  expired_time: -1,
  models: null,
  subnet: null,
});

const channel = (id: number): Row => ({
  id,
  name: `channel-${id}`,
  type: 1,
  key: '',
  base_url: null,
  other: '',
  model_mapping: null,
  models: 'gpt-4o',
  group: 'default',
  config: '',
  status: 1,
  priority: null,
  weight: null,
  response_time: 0,
  test_time: 0,
  balance: 0,
  balance_updated_time: 0,
  system_prompt: null,
});

const redemption = (id: number): Row => ({
  id,
  name: `code-${id}`,
  key: `key-of-code-${id}`,
  status: 1,
  quota: 500_000,
  created_time: seconds,
  redeemed_time: 0,
});

const log = (id: number): Row => ({
  id,
  created_at: seconds + id,
  type: 2,
  channel: 1,
  username: 'admin',
  token_name: 'token-1',
  model_name: id % 2 ? 'gpt-4o' : 'deepseek-chat',
  prompt_tokens: id,
  completion_tokens: 1,
  quota: 500,
  content: `spent ${id}`,
});

/** Each list has two full pages of ten rows and three more rows. */
export const minimalTables = () => ({
  user: rows(23, (id) => (id === 1 ? root() : user(id))),
  token: rows(23, token),
  channel: rows(23, channel),
  redemption: rows(23, redemption),
  log: rows(23, log),
  option: new Map([
    ['SystemName', 'Elsewhere'],
    ['RegisterEnabled', 'true'],
    ['QuotaForNewUser', '100'],
  ]),
});

export type MinimalTables = ReturnType<typeof minimalTables>;
