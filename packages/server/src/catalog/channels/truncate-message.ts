const maxMessageLength = 300;

/** Upstream message for storage: PostgreSQL cannot store null characters. */
export const truncateMessage = (text: string, longest = maxMessageLength): string =>
  text.replaceAll('\0', '').slice(0, longest);

const maxReasonLength = 2000;

/** Disable reason for storage, shortened so that an upstream message cannot make the write fail. */
export const truncateReason = (reason = ''): string => truncateMessage(reason, maxReasonLength);
