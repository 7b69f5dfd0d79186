/**
 * Row of `meta` that an import writes if it brought tokens of which only the SHA-256 of the whole key is known. Without
 * it, keys in other formats are rejected without a lookup.
 */
export const hashedKeysFlag = { key: 'hashed_keys', value: '1' } as const;
