/** Style of a section that matches the form above it. */
export const formSectionProps = {
  padding: 'lg',
  bg: 'light-dark(var(--mantine-color-white), var(--mantine-color-dark-7))',
} as const;
