import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const server = 'http://127.0.0.1:3000';

const mantine = (components: string) => new RegExp(`/@mantine/core/.*/(${components})\\.mjs$`);

/**
 * Few files instead of one for every module that two pages share. A kit takes what its pattern names and all that
 * needs, unless a kit above it has taken it.
 */
const kits = {
  framework: /node_modules\/(react|react-dom|scheduler|@tanstack)\//,
  app: /console\/src\/main\.tsx$/,
  // What visitors' pages need stands before the navigation, which they do without.
  account:
    /@mantine\/core\/.*\/(TextInput|PasswordInput|Anchor|Paper|Divider)\.mjs$|contract\/src\/accounts\/session\.ts$|ui\/(account-card\.tsx|copy-and-tell\.ts)$/,
  filling: /node_modules\/@mantine\/form\/|console\/src\/ui\/form\/focus-first-mistake\.ts$/,
  // With what is smaller than a request for it.
  navigation: /console\/src\/(app\/navigation\.tsx|lib\/format\/quota\.ts)$|contract\/src\/accounts\/group\.ts$/,
  list: /console\/src\/(ui\/list\/(?!display-panel|filter-bar\.tsx|saved-views|selection-bar)|lib\/list\/list|ui\/(secret-text|status-dot|time|group-labels)\.|lib\/api\/(exports?[.-]|asked-for)|ui\/export\/(list-export|export-action|export\.module))/,
  // What is about several things is not fetched with one of them.
  contract: /contract\/src\/\w+\/(bulk|export|log|log-subject|option-row)\.ts$/,
  channel:
    /console\/src\/(pages\/channel\/channel(-queries\.ts|-facts\.ts|\.module\.css)|ui\/provider-mark\/provider-(mark\.tsx|letters\.ts))$/,
  token:
    /contract\/src\/accounts\/token\.ts$|console\/src\/(pages\/token\/token-(queries|form)\.ts|lib\/page\/changed-fields\.ts)$/,
  user: /contract\/src\/records\/usage\.ts$|console\/src\/pages\/user\/user-(queries\.ts|columns\.tsx)$/,
  price: /contract\/src\/(catalog\/price|accounts\/purchase)\.ts$/,
  // What lists say of limits and budgets.
  limits: /console\/src\/ui\/(held-to\/(limit-words\.ts|budget-bar\.tsx)|subject\/subject-link\.tsx)$/,
  switch: mantine('Switch'),
  number: mantine('NumberInput'),
  choice: mantine('Select|MultiSelect|TagsInput'),
  form: /console\/src\/ui\/form\//,
  picking: /console\/src\/ui\/(subject|row-section|token-binding)\//,
};

const groups = [
  ...Object.entries(kits).map(([name, test], index) => ({ name, test, priority: 100 - index })),
  // Likewise.
  { name: 'icons', test: /@tabler\/icons-react\//, minShareCount: 2, priority: 1 },
];

/** The font is needed by the first words on every page: it is fetched with the style sheet that names it. */
const preloadFont: Plugin = {
  name: 'preload-font',
  transformIndexHtml(_, { bundle = {} }) {
    const fonts = Object.keys(bundle).filter((file) => file.endsWith('.woff2'));
    return fonts.map((file) => ({
      tag: 'link',
      attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
      injectTo: 'head' as const,
    }));
  },
};

export default defineConfig({
  plugins: [react(), preloadFont],
  server: { port: 5173, proxy: { '/api': server, '/v1': server } },
  build: {
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
});
