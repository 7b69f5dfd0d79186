import { defineConfig } from 'vitepress';
import { readSidebar } from '../src/sidebar.ts';
import { adaptLinks, excludedFolders } from '../src/site-links.ts';
import { isTranslated, untranslatedClass, untranslatedStyle } from '../src/translations.ts';

export default defineConfig({
  title: 'Headgate',
  description: 'One gateway for many AI model providers: relay, quota accounting and a console.',
  base: '/docs/',
  srcDir: '../../docs',
  srcExclude: excludedFolders.map((folder) => `${folder}/**`),
  outDir: './dist',
  cacheDir: './node_modules/.cache',
  rewrites: { 'README.md': 'index.md', ':folder/README.md': ':folder/index.md' },
  markdown: { config: adaptLinks },
  head: [
    ['link', { rel: 'icon', href: 'data:,' }],
    ['style', {}, untranslatedStyle],
  ],
  transformPageData: ({ filePath, frontmatter }) =>
    isTranslated(filePath) ? undefined : { frontmatter: { ...frontmatter, pageClass: untranslatedClass } },
  locales: {
    root: { label: 'English', lang: 'en', themeConfig: { sidebar: readSidebar('README.md') } },
    zh: {
      label: '简体中文',
      lang: 'zh-CN',
      themeConfig: {
        sidebar: readSidebar('zh/README.md'),
        outline: { label: '本页目录' },
        docFooter: { prev: '上一页', next: '下一页' },
      },
    },
  },
  themeConfig: {
    outline: [2, 3],
    search: { provider: 'local' },
  },
});
