await import('../packages/server/src/commands/passwd.ts');
