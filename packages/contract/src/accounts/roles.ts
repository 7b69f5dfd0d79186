export const role = { common: 1, admin: 10, root: 100 } as const;

export const roles: Readonly<Record<number, { readonly label: string; readonly color: string }>> = {
  [role.common]: { label: 'Common user', color: 'gray' },
  [role.admin]: { label: 'Admin', color: 'yellow' },
  [role.root]: { label: 'Super admin', color: 'orange' },
};

export const unknownRole = { label: 'Unknown identity', color: 'red' } as const;

interface WithRole {
  readonly role: number;
}

export const isAdmin = (user: WithRole | undefined): boolean => user !== undefined && user.role >= role.admin;

export const isRoot = (user: WithRole | undefined): boolean => user !== undefined && user.role >= role.root;
