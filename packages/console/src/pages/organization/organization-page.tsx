import { lazy, Suspense } from 'react';

// Separate, so that the table of pages, which every page loads, does not name all of its files.
const OrganizationWorkspace = lazy(async () => ({
  default: (await import('./organization-workspace.tsx')).OrganizationWorkspace,
}));

export function OrganizationPage() {
  return (
    <Suspense>
      <OrganizationWorkspace />
    </Suspense>
  );
}
