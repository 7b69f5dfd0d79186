await import('../packages/server/src/commands/plan.ts');
