import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const source = join(root, 'packages/console/src');
const library = join(root, 'node_modules/@mantine/core/styles');

const componentsIn = (file: string): string[] =>
  [...readFileSync(join(source, file), 'utf8').matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].flatMap(
    ([, names = '']) => names.split(',').map((part) => part.trim().split(' as ')[0] ?? ''),
  );

test('every component in use has its style sheet imported', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'));
  const components = [...new Set(files.flatMap(componentsIn))];
  const styled = components.filter((name) => existsSync(join(library, `${name}.css`)));
  // Pages may import style sheets that only they need.
  const styles = ['app/styles.ts', ...files].map((file) => readFileSync(join(source, file), 'utf8')).join('\n');
  expect(styled.length).toBeGreaterThan(10);
  expect(styled.filter((name) => !styles.includes(`/${name}.css'`))).toEqual([]);
});
