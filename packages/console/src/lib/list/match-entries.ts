interface Named {
  readonly label: string;
  readonly alias?: string;
}

/** Entries that contain every typed word; those that start with the typed text come first. */
export function matchEntries<Entry extends Named>(entries: readonly Entry[], typed: string): readonly Entry[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return entries;
  const parts = wanted.split(/\s+/);
  const found = entries.filter(({ label, alias = '' }) =>
    parts.every((part) => label.toLowerCase().includes(part) || alias.toLowerCase().includes(part)),
  );
  const begins = ({ label }: Entry) => label.toLowerCase().startsWith(wanted);
  return [...found.filter(begins), ...found.filter((entry) => !begins(entry))];
}
