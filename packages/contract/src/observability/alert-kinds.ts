/** Unit of a threshold; `points` are quota. */
export type AlertUnit = 'percent' | 'seconds' | 'points' | 'dollars';

interface AlertThreshold {
  readonly unit: AlertUnit;
  readonly label: string;
  readonly initial: number;
  readonly min: number;
  readonly max: number;
}

/** Filters that a rule can have. */
export type AlertScope = 'channels' | 'tag' | 'group';

interface AlertKindRow {
  readonly label: string;
  /** Description of a rule, as a sentence. */
  readonly sentence: string;
  readonly threshold?: AlertThreshold;
  /** True if the alert is measured over a time window, per channel or for all requests. */
  readonly isMeasured?: true;
  readonly scopes: readonly AlertScope[];
  /** Default repeat interval in minutes. */
  readonly repeatMinutes: number;
  /** True if the alert is sent with high priority to destinations that support it. */
  readonly isUrgent?: true;
}

const perDay = 1440;
const channelScopes: readonly AlertScope[] = ['channels', 'tag'];

/** All kinds of alerts. */
export const alertKinds = {
  channel_disabled: {
    label: 'Channel disabled',
    sentence: 'When a channel is disabled automatically',
    scopes: channelScopes,
    repeatMinutes: 0,
    isUrgent: true,
  },
  channel_enabled: {
    label: 'Channel recovered',
    sentence: 'When a channel recovers and is enabled',
    scopes: channelScopes,
    repeatMinutes: 0,
  },
  failure_rate: {
    label: 'Failure rate',
    sentence: 'When more than {threshold} of requests fail within {minutes} minutes',
    threshold: { unit: 'percent', label: 'Failed requests', initial: 20, min: 0.1, max: 100 },
    isMeasured: true,
    scopes: channelScopes,
    repeatMinutes: 60,
    isUrgent: true,
  },
  latency: {
    label: 'Latency',
    sentence: 'When p95 time to first byte exceeds {threshold} within {minutes} minutes',
    threshold: { unit: 'seconds', label: 'p95 time to first byte', initial: 30, min: 0.1, max: 3600 },
    isMeasured: true,
    scopes: channelScopes,
    repeatMinutes: 60,
  },
  budget_reached: {
    label: 'Budget',
    sentence: 'When {threshold} of a budget is spent',
    threshold: { unit: 'percent', label: 'Spent', initial: 80, min: 1, max: 100 },
    scopes: [],
    repeatMinutes: 0,
  },
  user_balance: {
    label: 'User balance',
    sentence: "When a user's balance falls below {threshold}",
    threshold: { unit: 'points', label: 'Balance', initial: 500_000, min: 1, max: 1_000_000_000_000_000 },
    scopes: ['group'],
    repeatMinutes: perDay,
  },
  organization_balance: {
    label: 'Organization balance',
    sentence: "When an organization's balance falls below {threshold}",
    threshold: { unit: 'points', label: 'Balance', initial: 5_000_000, min: 1, max: 1_000_000_000_000_000 },
    scopes: ['group'],
    repeatMinutes: perDay,
  },
  channel_balance: {
    label: 'Channel balance',
    sentence: "When a channel's balance at its provider falls below {threshold}",
    threshold: { unit: 'dollars', label: 'Balance', initial: 5, min: 0.01, max: 1_000_000_000 },
    scopes: channelScopes,
    repeatMinutes: perDay,
  },
  unpriced_model: {
    label: 'Model without a price',
    sentence: 'When a model without a price is used',
    scopes: [],
    repeatMinutes: perDay,
  },
  log_export: {
    label: 'Log export',
    sentence: 'When a log export fails and is more than {threshold} behind',
    threshold: { unit: 'seconds', label: 'Lag', initial: 900, min: 1, max: 8_640_000 },
    scopes: [],
    repeatMinutes: 60,
  },
  payment_failed: {
    label: 'Payment not credited',
    sentence: 'When a payment arrives that cannot be credited',
    scopes: [],
    repeatMinutes: 0,
    isUrgent: true,
  },
  payment_disputed: {
    label: 'Payment disputed',
    sentence: 'When a payment is disputed',
    scopes: [],
    repeatMinutes: 0,
    isUrgent: true,
  },
  payment_missed: {
    label: 'Payment callback missed',
    sentence: 'When a payment is found without a callback',
    scopes: [],
    repeatMinutes: 60,
  },
  plan_ending: {
    label: 'Plan ending',
    sentence: "When a user's plan ends within 3 days",
    scopes: [],
    repeatMinutes: 0,
  },
  ledger_drift: {
    label: 'Ledger imbalance',
    sentence: 'When user quotas do not match the ledger',
    scopes: [],
    repeatMinutes: perDay,
    isUrgent: true,
  },
  new_admin: {
    label: 'New admin',
    sentence: 'When a user becomes an admin',
    scopes: [],
    repeatMinutes: 0,
    isUrgent: true,
  },
  member_added: {
    label: 'Member added',
    sentence: 'When a user joins an organization',
    scopes: [],
    repeatMinutes: 0,
  },
  new_place: {
    label: 'Login from a new network',
    sentence: 'When an admin logs in from a network not seen before',
    scopes: [],
    repeatMinutes: 0,
    isUrgent: true,
  },
} as const satisfies Record<string, AlertKindRow>;

export type AlertKind = keyof typeof alertKinds;

export const alertKindNames = Object.keys(alertKinds) as [AlertKind, ...AlertKind[]];

/** The row of a kind with all optional fields. */
export const alertKind = (kind: AlertKind): AlertKindRow => alertKinds[kind];
