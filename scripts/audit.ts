await import('../packages/server/src/commands/audit.ts');
