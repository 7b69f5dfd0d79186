import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';

/** Storage key of the visitor's choice. Without a choice, the gateway's theme applies, then the system's. */
export const colorSchemeKey = 'color_scheme';

export function useColorScheme(): { readonly isDark: boolean; readonly toggle: () => void } {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  return { isDark, toggle: () => setColorScheme(isDark ? 'light' : 'dark') };
}
