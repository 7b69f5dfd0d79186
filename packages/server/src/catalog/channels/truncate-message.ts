const longestMessage = 300;

/** Upstream message for storage: PostgreSQL cannot store null characters. */
export const truncateMessage = (text: string, longest = longestMessage): string =>
  text.replaceAll('\0', '').slice(0, longest);

const longestReason = 2000;

/** Disable reason for storage, shortened so that an upstream message cannot make the write fail. */
export const truncateReason = (reason = ''): string => truncateMessage(reason, longestReason);
