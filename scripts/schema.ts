await import('../packages/server/src/schema.ts');
