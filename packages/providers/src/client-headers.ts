/**
 * What a provider hears of the client's headers when its row names none. The client's organization and project are not
 * among them: they belong to an account of the client's own, while the key is the channel's.
 */
const usual: readonly string[] = ['openai-beta'];

/** The client's headers that a provider may be sent. */
export function clientHeadersFor(
  provider: { readonly clientHeaders?: readonly string[] },
  headers: ClientHeaders,
): Readonly<Record<string, string>> {
  const heard: Record<string, string> = {};
  for (const name of provider.clientHeaders ?? usual) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') heard[name] = value;
  }
  return heard;
}

/** Headers by their names in small letters; several of one name are joined by commas. */
export type ClientHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;
