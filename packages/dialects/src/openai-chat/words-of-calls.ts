interface Call {
  readonly function: { readonly name?: unknown; readonly arguments: string };
}

/** The names and arguments of calls: their ids and types are not read by the model. Undefined when not all of them are calls. */
export function wordsOfCalls(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || !value.every(isCall)) return undefined;
  return value.flatMap(({ function: { name, arguments: given } }) =>
    typeof name === 'string' ? [name, given] : [given],
  );
}

const isCall = (value: unknown): value is Call =>
  typeof (value as { function?: { arguments?: unknown } } | null)?.function?.arguments === 'string';
