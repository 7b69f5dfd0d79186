await import('../packages/server/src/restore.ts');
