import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const server = 'http://127.0.0.1:3000';

const mantine = (components: string) => new RegExp(`/@mantine/core/.*/(${components})\\.mjs$`);

/**
 * A few chunks instead of one per shared module. A chunk contains the modules that match its pattern and their
 * dependencies, except those already in an earlier chunk.
 */
const kits = {
  framework: /node_modules\/(react|react-dom|scheduler|@tanstack)\//,
  app: /console\/src\/main\.tsx$/,
  // Modules of visitor pages come before navigation modules, which those pages do not use.
  account:
    /@mantine\/core\/.*\/(TextInput|PasswordInput|Anchor|Paper|Divider)\.mjs$|contract\/src\/accounts\/session\.ts$|ui\/(account-card\.tsx|copy-with-message\.ts)$/,
  filling: /node_modules\/@mantine\/form\/|console\/src\/ui\/form\/focus-first-error\.ts$/,
  // Includes modules that are smaller than the overhead of a request.
  navigation:
    /console\/src\/(app\/navigation\.tsx|lib\/format\/(quota|ago|column-decimals)\.ts)$|contract\/src\/accounts\/group\.ts$/,
  list: /console\/src\/(ui\/list\/(?!display-panel|filter-bar\.tsx|saved-views|selection-bar)|lib\/list\/list|ui\/(secret-text|status-dot|time|group-labels)\.|lib\/api\/(exports?[.-]|url-action)|ui\/export\/(list-export|export-action|export\.module))/,
  // Contract modules shared by several areas are not bundled into any one area.
  contract: /contract\/src\/\w+\/(bulk|export|log|log-subject|option-row)\.ts$/,
  channel:
    /console\/src\/(pages\/channel\/(channel(-queries\.ts|-facts\.ts|\.module\.css)|inline-number\.tsx)|ui\/provider-mark\/provider-(tile\.tsx|letters\.ts))$/,
  token:
    /contract\/src\/accounts\/token\.ts$|console\/src\/(pages\/token\/token-queries\.ts|ui\/token-form\/token-form\.ts|lib\/page\/changed-fields\.ts)$/,
  user: /contract\/src\/records\/usage\.ts$|console\/src\/pages\/user\/user-(queries\.ts|columns\.tsx)$/,
  price: /contract\/src\/(catalog\/price|accounts\/purchase)\.ts$/,
  // Limits and budgets shown in lists.
  limits: /console\/src\/ui\/(effective-limits\/(limit-labels\.ts|budget-bar\.tsx)|subject\/subject-link\.tsx)$/,
  // Plans and prices of plans, shown in lists and on the top-up page.
  plan: /contract\/src\/accounts\/(plan|order)s?\.ts$|console\/src\/(ui\/plan\/plan-windows|pages\/plan\/plan-queries|lib\/format\/currenc)/,
  switch: mantine('Switch'),
  number: mantine('NumberInput'),
  choice: mantine('Select|MultiSelect|TagsInput'),
  form: /console\/src\/ui\/form\//,
  picking: /console\/src\/ui\/(subject|row-section|token-binding)\//,
  // Filters of logs and of usage.
  suggestions: /console\/src\/(ui\/log-suggestions\/|lib\/page\/channel-address\.ts$)/,
  // Shared by the log page and the parts that it loads later.
  log: /contract\/src\/records\/log-events\.ts$|console\/src\/pages\/log\/(log-(filters|detail|details|sentence|state|charge|queries)\.tsx?|range-presets\.ts|log\.module\.css)$/,
  // Shared by the pages of users and of organizations.
  usage: /console\/src\/ui\/usage\/usage-(report|table|controls|filters|labels|links|sheet|state|export)\./,
  statement: /console\/src\/ui\/statement\/statement[-.]/,
};

const groups = [
  ...Object.entries(kits).map(([name, test], index) => ({ name, test, priority: 100 - index })),
  // Icons shared by at least two chunks.
  { name: 'icons', test: /@tabler\/icons-react\//, minShareCount: 2, priority: 1 },
];

/** The font is needed for the first text on every page, so it is preloaded together with its style sheet. */
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
