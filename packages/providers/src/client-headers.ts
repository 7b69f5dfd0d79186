/**
 * Client headers forwarded if a provider's row lists none. The client's organization and project are excluded: they
 * belong to the client's account, while the key is the channel's.
 */
const usual: readonly string[] = ['openai-beta'];

/** Client headers that may be sent to a provider. */
export function clientHeadersFor(
  provider: { readonly clientHeaders?: readonly string[] },
  headers: ClientHeaders,
): Readonly<Record<string, string>> {
  const forwarded: Record<string, string> = {};
  for (const name of provider.clientHeaders ?? usual) {
    for (const each of name.endsWith('*') ? namesLike(name.slice(0, -1), headers) : [name]) {
      const value = headers[each];
      if (typeof value === 'string' && value !== '') forwarded[each] = value;
    }
  }
  return forwarded;
}

/** Names of a header family, except those about the client's account or identity. */
const namesLike = (beginning: string, headers: ClientHeaders): readonly string[] =>
  Object.keys(headers).filter((name) => name.startsWith(beginning) && !isPersonal(name));

const personal = ['key', 'token', 'secret', 'auth', 'cookie', 'organization', 'workspace', 'account', 'project'];

const isPersonal = (name: string): boolean => personal.some((word) => name.includes(word));

/** Headers by lowercase name; repeated headers are joined by commas. */
export type ClientHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;
