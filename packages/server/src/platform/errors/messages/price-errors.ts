/** Errors about prices. */
export const priceErrors = {
  priceImplausible: {
    status: 200,
    en: '{model}: {part} at {price} is {times} times the known price of {known}. This looks like a mistake',
    zh: '{model}：{part} 价格 {price} 是已知价格 {known} 的 {times} 倍，应当有误',
  },
  priceOfNothing: {
    status: 200,
    en: '{model}: {part} cannot have a price while {whole} is free',
    zh: '{model}：{whole} 免费时，{part} 不能有价格',
  },
  priceUnnameable: {
    status: 200,
    en: '{model} cannot have a price: the name is not allowed',
    zh: '{model} 无法设置价格：不允许使用该名称',
  },
  priceTwice: { status: 200, en: '{model} is in the list twice', zh: '{model} 在列表中出现了两次' },
} as const;
