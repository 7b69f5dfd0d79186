interface Call {
  readonly function: { readonly name?: unknown; readonly arguments: string };
}

/** Names and arguments of calls; a model does not read their ids and types. Undefined when some items are not calls. */
export function callTexts(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || !value.every(isCall)) return undefined;
  return value.flatMap(({ function: { name, arguments: given } }) =>
    typeof name === 'string' ? [name, given] : [given],
  );
}

const isCall = (value: unknown): value is Call =>
  typeof (value as { function?: { arguments?: unknown } } | null)?.function?.arguments === 'string';
