export const palmModels: readonly string[] = ['PaLM-2'];
