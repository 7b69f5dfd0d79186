await import('../packages/server/src/export.ts');
