const version = /claude-(?:[a-z]+-)?(\d+)(?:[-.](\d{1,2})(?!\d))?/;

/** Version of a Claude model by its name, such as 405 for 4.5; undefined when the name has none. */
export function claudeVersion(model: string): number | undefined {
  const [, major, minor] = version.exec(model) ?? [];
  return major === undefined ? undefined : Number(major) * 100 + Number(minor ?? 0);
}
