import { lazy, Suspense } from 'react';

// Separate file, so that the page table, which every page loads, does not contain the names of all chunks.
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
