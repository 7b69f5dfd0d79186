import { type JSXAttribute, type JSXOpeningElement, Visitor } from 'oxc-parser';
import type { ParsedFile } from './parsed-file.ts';

/** Offsets of links to pages of the console that bypass the router, so that a click reloads the console. */
export function findPlainLinks({ program }: ParsedFile): number[] {
  const offsets: number[] = [];
  const visitor = new Visitor({
    JSXOpeningElement: (node) => {
      if (isConsolePath(attribute(node, 'href')) && !attribute(node, 'target')) offsets.push(node.start);
    },
  });
  visitor.visit(program);
  return offsets;
}

const attribute = ({ attributes }: JSXOpeningElement, name: string): JSXAttribute | undefined =>
  attributes.find(
    (each): each is JSXAttribute =>
      each.type === 'JSXAttribute' && each.name.type === 'JSXIdentifier' && each.name.name === name,
  );

/** True for a text or template that starts with a slash. */
function isConsolePath(href: JSXAttribute | undefined): boolean {
  const value = href?.value;
  const content = value?.type === 'JSXExpressionContainer' ? value.expression : value;
  if (content?.type === 'Literal') return typeof content.value === 'string' && content.value.startsWith('/');
  return content?.type === 'TemplateLiteral' && content.quasis[0]?.value.raw.startsWith('/') === true;
}
