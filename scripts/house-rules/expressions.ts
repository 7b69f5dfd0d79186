import type { Expression, MemberExpression, Node, Super } from 'oxc-parser';

/** The property name after the dot, or the literal between the brackets. */
export function propertyName(member: MemberExpression): string | undefined {
  const { property } = member;
  if (member.computed)
    return property.type === 'Literal' && typeof property.value === 'string' ? property.value : undefined;
  return property.type === 'Identifier' ? property.name : undefined;
}

/** Last name of an expression: `a` for `a`, `b` for `a.b`. */
export function lastName(expression: Node | Expression | Super): string | undefined {
  const inner = unwrap(expression);
  if (inner.type === 'Identifier') return inner.name;
  return inner.type === 'MemberExpression' ? propertyName(inner) : undefined;
}

export function isNumber(expression: Node): boolean {
  return expression.type === 'Literal' && typeof expression.value === 'number';
}

/** The expression without parentheses, `?.`, `!` and `as`. */
export function unwrap(expression: Node): Node {
  switch (expression.type) {
    case 'ChainExpression':
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
      return unwrap(expression.expression);
    default:
      return expression;
  }
}
