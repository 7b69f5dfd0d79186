/** Default and maximum page size of lists. */
export const pageSize = 10;
export const maxPageSize = 100;

/** Maximum width in pixels of the phone layout. */
export const phoneWidth = 600;

export const usernameLength = { max: 12 } as const;
export const displayNameLength = { max: 20 } as const;
/** `max` is the default of the option PasswordMaxLength. */
export const passwordLength = { min: 8, max: 20 } as const;
/** Upper bound of the option PasswordMaxLength. */
export const maxConfigurablePasswordLength = 200;
export const emailLength = { max: 50 } as const;

/** How long each kind of message is shown, in milliseconds. */
export const messageDurationMs = { success: 1500, info: 3000, error: 5000, warning: 10_000, notice: 20_000 } as const;

/** Seconds before another email can be requested. */
export const mailCooldownSeconds = 30;

/** Maximum length of a name in a list, including the ellipsis. */
export const maxListedNameLength = 15;

/** Time after which a screen whose code has not loaded shows an error with a retry button. */
export const lazyScreenTimeoutMs = 120_000;

/** Default credentials created on first start. Signing in with them opens the profile form. */
export const defaultRoot = { username: 'root', password: '123456' } as const;

export const defaultGroup = 'default';

export const productName = 'Headgate';

export const defaultLogo = '/logo.png';

/** Limits of a channel's rules. */
export const channelRuleLimits = {
  rules: 50,
  actions: 10,
  /** Total across all rules. Each action may copy a part of the body. */
  allActions: 100,
  conditions: 10,
  names: 50,
  pathDepth: 8,
  nameLength: 100,
  valueLength: 16_384,
  textLength: 100_000,
} as const;
