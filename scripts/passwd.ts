await import('../packages/server/src/passwd.ts');
