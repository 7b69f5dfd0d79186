const longestMessage = 300;

/** What an upstream said, as it is kept: PostgreSQL stores no null character, wherever one puts it. */
export const storable = (text: string, longest = longestMessage): string => text.replaceAll('\0', '').slice(0, longest);

const longestReason = 2000;

/** Why something is disabled, as it is kept: the words of an upstream keep nobody from disabling it. */
export const storableReason = (words = ''): string => storable(words, longestReason);
