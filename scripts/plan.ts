await import('../packages/server/src/plan.ts');
