/** Tags in the order in which the document lists them. */
export const tagTexts = {
  Status: 'Public information about the gateway: name, sign-in methods, notices and model availability.',
  'Sign-in': 'Log in and out, sessions, registration, password reset and external sign-in providers.',
  'Two-factor and passkeys': 'Second factor and passkeys of an account.',
  'Access tokens': 'Tokens for this API. API tokens for the relay are under "API tokens".',
  Account: 'The account of the caller: profile, top-up, invite code and saved views.',
  Users: 'User administration.',
  'API tokens': 'Tokens with which clients call the relay, such as `/v1/chat/completions`.',
  Organizations: 'Accounts that several users share: members, roles and invitations.',
  Budgets: 'Spending budgets of API tokens, users and groups.',
  'Redemption codes': 'Codes that add quota to an account.',
  Payments: 'Orders of quota and the callbacks of payment providers.',
  Channels: 'Connections to upstream providers: settings, tests, balances and exports.',
  'Channel keys': 'The provider API keys of a channel.',
  'Channel pauses': 'Models that a channel does not serve until a test succeeds.',
  Routing: 'Routing rules and model aliases.',
  Limits: 'Rate, concurrency and cost limits.',
  Prices: 'Prices of models.',
  Logs: 'Request, audit and system logs.',
  Usage: 'Usage reports from hourly rollups.',
  Dashboard: 'Figures of the home page.',
  'Payload logging': 'Stored request and response payloads.',
  Alerts: 'Alert rules, destinations and sent notifications.',
  Settings: 'Options of the gateway, mail test and the objects that a configuration file manages.',
  Operations: 'Nodes and the quota ledger.',
} as const;

export type Tag = keyof typeof tagTexts;
