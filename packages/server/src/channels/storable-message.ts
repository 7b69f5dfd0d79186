const longestMessage = 300;

/** What an upstream said, as it is kept: PostgreSQL stores no null character, wherever one puts it. */
export const storable = (text: string): string => text.replaceAll('\0', '').slice(0, longestMessage);
