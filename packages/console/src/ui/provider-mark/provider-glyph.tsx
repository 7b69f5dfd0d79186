import ai360 from '@lobehub/icons-static-svg/icons/ai360.svg?inline';
import anthropic from '@lobehub/icons-static-svg/icons/anthropic.svg?inline';
import aws from '@lobehub/icons-static-svg/icons/aws.svg?inline';
import azure from '@lobehub/icons-static-svg/icons/azure.svg?inline';
import baichuan from '@lobehub/icons-static-svg/icons/baichuan.svg?inline';
import cloudflare from '@lobehub/icons-static-svg/icons/cloudflare.svg?inline';
import cohere from '@lobehub/icons-static-svg/icons/cohere.svg?inline';
import coze from '@lobehub/icons-static-svg/icons/coze.svg?inline';
import deepl from '@lobehub/icons-static-svg/icons/deepl.svg?inline';
import deepseek from '@lobehub/icons-static-svg/icons/deepseek.svg?inline';
import doubao from '@lobehub/icons-static-svg/icons/doubao.svg?inline';
import fastgpt from '@lobehub/icons-static-svg/icons/fastgpt.svg?inline';
import gemini from '@lobehub/icons-static-svg/icons/gemini.svg?inline';
import groq from '@lobehub/icons-static-svg/icons/groq.svg?inline';
import hunyuan from '@lobehub/icons-static-svg/icons/hunyuan.svg?inline';
import minimax from '@lobehub/icons-static-svg/icons/minimax.svg?inline';
import mistral from '@lobehub/icons-static-svg/icons/mistral.svg?inline';
import moonshot from '@lobehub/icons-static-svg/icons/moonshot.svg?inline';
import novita from '@lobehub/icons-static-svg/icons/novita.svg?inline';
import ollama from '@lobehub/icons-static-svg/icons/ollama.svg?inline';
import openai from '@lobehub/icons-static-svg/icons/openai.svg?inline';
import openrouter from '@lobehub/icons-static-svg/icons/openrouter.svg?inline';
import palm from '@lobehub/icons-static-svg/icons/palm.svg?inline';
import qwen from '@lobehub/icons-static-svg/icons/qwen.svg?inline';
import siliconcloud from '@lobehub/icons-static-svg/icons/siliconcloud.svg?inline';
import spark from '@lobehub/icons-static-svg/icons/spark.svg?inline';
import stepfun from '@lobehub/icons-static-svg/icons/stepfun.svg?inline';
import together from '@lobehub/icons-static-svg/icons/together.svg?inline';
import vertexai from '@lobehub/icons-static-svg/icons/vertexai.svg?inline';
import wenxin from '@lobehub/icons-static-svg/icons/wenxin.svg?inline';
import xai from '@lobehub/icons-static-svg/icons/xai.svg?inline';
import zeroone from '@lobehub/icons-static-svg/icons/zeroone.svg?inline';
import zhipu from '@lobehub/icons-static-svg/icons/zhipu.svg?inline';
import type { ReactNode } from 'react';
import styles from './provider-glyph.module.css';

/** Provider logos by channel type; other types show two letters. */
const providerGlyphs: Readonly<Record<number, string>> = {
  1: openai,
  3: azure,
  11: palm,
  14: anthropic,
  15: wenxin,
  16: zhipu,
  17: qwen,
  18: spark,
  19: ai360,
  20: openrouter,
  22: fastgpt,
  23: hunyuan,
  24: gemini,
  25: moonshot,
  26: baichuan,
  27: minimax,
  28: mistral,
  29: groq,
  30: ollama,
  31: zeroone,
  32: stepfun,
  33: aws,
  34: coze,
  35: cohere,
  36: deepseek,
  37: cloudflare,
  38: deepl,
  39: together,
  40: doubao,
  41: novita,
  42: vertexai,
  44: siliconcloud,
  45: xai,
};

interface ProviderGlyphProps {
  readonly type: number;
  /** Fallback if there is no glyph. */
  readonly children: ReactNode;
}

/** Logo of a provider in the color of its tile. */
export function ProviderGlyph({ type, children }: ProviderGlyphProps) {
  const glyph = providerGlyphs[type];
  return glyph ? <span className={styles['glyph']} style={{ maskImage: `url("${glyph}")` }} /> : children;
}
