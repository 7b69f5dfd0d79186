const address = /^https?:\/\/\S+$/i;

/** Plain hosts only: a policy takes an asterisk for any host. */
const plainOrigin = /^https?:\/\/[a-z0-9.-]+(?::\d+)?$/;

/** Origins of those texts that are addresses; never the host that serves the console, which no frame may show. */
export function frameOrigins(texts: readonly string[], ownHost: string): readonly string[] {
  const origins = texts.flatMap((text) => {
    const trimmed = text.trim();
    if (!address.test(trimmed) || !URL.canParse(trimmed)) return [];
    const { origin, host } = new URL(trimmed);
    return plainOrigin.test(origin) && host !== ownHost.toLowerCase() ? [origin] : [];
  });
  return [...new Set(origins)];
}
