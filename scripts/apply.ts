await import('../packages/server/src/apply.ts');
