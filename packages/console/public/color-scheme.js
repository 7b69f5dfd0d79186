// Runs before the first paint, so that a dark page does not flash white. The console applies the scheme afterwards.
const stored = localStorage.getItem('color_scheme');
const scheme = stored === 'light' || stored === 'dark' ? stored : undefined;
const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
document.documentElement.setAttribute('data-mantine-color-scheme', scheme ?? (isDark ? 'dark' : 'light'));
