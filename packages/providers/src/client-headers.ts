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
    for (const each of name.endsWith('*') ? namesLike(name.slice(0, -1), headers) : [name]) {
      const value = headers[each];
      if (typeof value === 'string' && value !== '') heard[each] = value;
    }
  }
  return heard;
}

/** Of a family: not those about an account of the client's own, or about who it is. */
const namesLike = (beginning: string, headers: ClientHeaders): readonly string[] =>
  Object.keys(headers).filter((name) => name.startsWith(beginning) && !isPersonal(name));

const personal = ['key', 'token', 'secret', 'auth', 'cookie', 'organization', 'workspace', 'account', 'project'];

const isPersonal = (name: string): boolean => personal.some((word) => name.includes(word));

/** Headers by their names in small letters; several of one name are joined by commas. */
export type ClientHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;
