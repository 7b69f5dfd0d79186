/** Lists are read in pages of this size unless the caller asks for another, up to the largest. */
export const pageSize = 10;
export const largestPageSize = 100;

/** At this width in pixels and below the console is a phone's. */
export const phoneWidth = 600;

export const usernameLength = { max: 12 } as const;
export const displayNameLength = { max: 20 } as const;
export const passwordLength = { min: 8, max: 20 } as const;
export const emailLength = { max: 50 } as const;

/** How long each kind of message stays on screen, in milliseconds. */
export const messageDurationMs = { success: 1500, info: 3000, error: 5000, warning: 10_000, notice: 20_000 } as const;

/** How long the console waits before it lets a person ask for another mail, in seconds. */
export const mailCooldownSeconds = 30;

/** A name in a list takes this many characters at most, the ellipsis included. */
export const shownNameLength = 15;

/** A screen's code that has not arrived by then shows an error with a way to try again. */
export const lazyScreenTimeoutMs = 120_000;

/** What the first start creates, and what sends its first login to the profile form. */
export const defaultRoot = { username: 'root', password: '123456' } as const;

export const defaultGroup = 'default';

export const productName = 'Headgate';

export const defaultLogo = '/logo.png';
