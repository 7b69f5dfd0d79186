import {
  baichuanModels,
  deepSeekModels,
  doubaoModels,
  groqModels,
  lingYiWanWuModels,
  miniMaxModels,
  mistralModels,
  moonshotModels,
  novitaModels,
  openaiModels,
  openRouterModels,
  siliconFlowModels,
  stepFunModels,
  togetherModels,
  xaiModels,
  zhinao360Models,
} from './models.ts';
import { vendor } from './pass-through.ts';

export const openai = vendor('https://api.openai.com', openaiModels);
export const api2d = vendor('https://oa.api2d.net', openaiModels);
export const closeAi = vendor('https://api.closeai-proxy.xyz', openaiModels);
export const openaiSb = vendor('https://api.openai-sb.com', openaiModels);
export const openaiMax = vendor('https://api.openaimax.com', openaiModels);
export const ohMyGpt = vendor('https://api.ohmygpt.com', openaiModels);
export const custom = vendor('', openaiModels);
export const aiLs = vendor('https://api.caipacity.com', openaiModels);
export const aiProxy = vendor('https://api.aiproxy.io', openaiModels);
export const api2gpt = vendor('https://api.api2gpt.com', openaiModels);
export const aigc2d = vendor('https://api.aigc2d.com', openaiModels);
export const zhinao360 = vendor('https://ai.360.cn', zhinao360Models);
export const openRouter = vendor('https://openrouter.ai/api', openRouterModels);
export const fastGpt = vendor('https://fastgpt.run/api/openapi', openaiModels);
export const moonshot = vendor('https://api.moonshot.cn', moonshotModels);
export const baichuan = vendor('https://api.baichuan-ai.com', baichuanModels);
export const miniMax = vendor('https://api.minimax.chat', miniMaxModels);
export const mistral = vendor('https://api.mistral.ai', mistralModels);
export const groq = vendor('https://api.groq.com/openai', groqModels);
export const lingYiWanWu = vendor('https://api.lingyiwanwu.com', lingYiWanWuModels);
export const stepFun = vendor('https://api.stepfun.com', stepFunModels);
export const deepSeek = vendor('https://api.deepseek.com', deepSeekModels);
export const together = vendor('https://api.together.xyz', togetherModels);
export const doubao = vendor('https://ark.cn-beijing.volces.com', doubaoModels);
export const novita = vendor('https://api.novita.ai/v3/openai', novitaModels);
export const siliconFlow = vendor('https://api.siliconflow.cn', siliconFlowModels);
export const xai = vendor('https://api.x.ai', xaiModels);
export const ruyi = vendor('', []);
