export interface Manifest {
  /** Path of the package.json. */
  readonly path: string;
  readonly version: string;
  /** All dependencies, including development ones. */
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Package entries of the lock file, by path; the root is ''. */
export type LockedPackages = Readonly<Record<string, { readonly version?: string; readonly resolved?: string }>>;

const ownPackage = /^@headgate\//;

/** Our packages whose version, or dependency on another of our packages, differs from the release. */
export const versionFaults = (version: string, manifests: readonly Manifest[]): readonly string[] =>
  manifests.flatMap(({ path, ...manifest }) => [
    ...(manifest.version === version ? [] : [`${path} has version ${manifest.version}, not ${version}.`]),
    ...Object.entries(manifest.dependencies)
      .filter(([name, wanted]) => ownPackage.test(name) && wanted !== version)
      .map(([name, wanted]) => `${path} depends on ${name} ${wanted}, not ${version}.`),
  ]);

/** Entries of our packages with a different version in the lock file, and download URLs. */
export const lockFaults = (version: string, locked: LockedPackages): readonly string[] =>
  Object.entries(locked).flatMap(([path, entry]) => {
    if (path.includes('node_modules/')) {
      const isAddress = /^https?:/.test(entry.resolved ?? '');
      return isAddress ? [`package-lock.json has a download URL for ${path}.`] : [];
    }
    return entry.version === version
      ? []
      : [`package-lock.json has version ${entry.version} of ${path || 'the root'}, not ${version}.`];
  });

/** Faults of a version's section: `## 1.0.0 – 2026-11-18`, with text, before all older ones. */
export function changelogFaults(version: string, changelog: string): readonly string[] {
  const [, ...sections] = changelog.split(/^## /m);
  const released = sections.filter((section) => !section.startsWith('Unreleased'));
  const [heading = '', ...lines] = released[0]?.split('\n') ?? [];
  const [, found, date] = /^(\d+\.\d+\.\d+) – (\d{4}-\d{2}-\d{2})$/.exec(heading) ?? [];
  if (found !== version || date === undefined) {
    return [`CHANGELOG.md needs "## ${version} – <date>" as its first section after "Unreleased".`];
  }
  return lines.some((line) => line.startsWith('- ')) ? [] : [`The section ${version} of CHANGELOG.md is empty.`];
}

/** Uncommitted changes, from `git status --porcelain`. */
export const treeFaults = (status: string): readonly string[] =>
  status.trim() === '' ? [] : [`The working tree has uncommitted changes:\n${status.trimEnd()}`];

/** A file for `sha256sum --check`. */
export const checksumText = (sums: readonly { readonly name: string; readonly sha256: string }[]): string =>
  sums.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
