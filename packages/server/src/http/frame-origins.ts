const address = /^https?:\/\/\S+$/i;

/** Plain hosts only: an asterisk in a policy would match any host. */
const plainOrigin = /^https?:\/\/[a-z0-9.-]+(?::\d+)?$/;

/** Origins of the texts that are URLs, without the host of the console, which must not be framed. */
export function frameOrigins(texts: readonly string[], ownHost: string): readonly string[] {
  const origins = texts.flatMap((text) => {
    const trimmed = text.trim();
    if (!address.test(trimmed) || !URL.canParse(trimmed)) return [];
    const { origin, host } = new URL(trimmed);
    return plainOrigin.test(origin) && host !== ownHost.toLowerCase() ? [origin] : [];
  });
  return [...new Set(origins)];
}
