await import('../packages/server/src/import.ts');
