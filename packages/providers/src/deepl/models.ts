export const deeplModels: readonly string[] = ['deepl-zh', 'deepl-en', 'deepl-ja'];
