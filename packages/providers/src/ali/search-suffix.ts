const suffix = '-internet';

/** Separates the model name suffix that enables web search. */
export const splitSearchSuffix = (model: string): { readonly model: string; readonly enable_search?: true } =>
  model.endsWith(suffix) ? { model: model.slice(0, -suffix.length), enable_search: true } : { model };
