// Runs before the first paint, so that a dark page never flashes white. The console takes over from here.
const stored = localStorage.getItem('color_scheme');
const scheme = stored === 'light' || stored === 'dark' ? stored : undefined;
const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
document.documentElement.setAttribute('data-mantine-color-scheme', scheme ?? (isDark ? 'dark' : 'light'));
