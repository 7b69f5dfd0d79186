await import('../packages/server/src/audit.ts');
