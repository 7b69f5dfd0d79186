import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';

/** Where the visitor's own choice is kept; without one the gateway's theme decides, then the system. */
export const colorSchemeKey = 'color_scheme';

export function useColorScheme(): { readonly isDark: boolean; readonly toggle: () => void } {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  return { isDark, toggle: () => setColorScheme(isDark ? 'light' : 'dark') };
}
