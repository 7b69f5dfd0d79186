import { type BindingPattern, type ParamPattern, type Program, Visitor } from 'oxc-parser';

/** Every name that a file declares or imports at any depth. A global of the same name is ignored in that file. */
export function declaredNames(program: Program): Set<string> {
  const names = new Set<string>();
  const add = (pattern: BindingPattern | ParamPattern | null) => addNames(pattern, names);
  const addParameters = ({ params }: { params: ParamPattern[] }) => params.forEach(add);
  new Visitor({
    VariableDeclarator: ({ id }) => add(id),
    FunctionDeclaration: (declaration) => {
      add(declaration.id);
      addParameters(declaration);
    },
    FunctionExpression: addParameters,
    ArrowFunctionExpression: addParameters,
    ImportSpecifier: ({ local }) => add(local),
    ImportDefaultSpecifier: ({ local }) => add(local),
    ImportNamespaceSpecifier: ({ local }) => add(local),
  }).visit(program);
  return names;
}

function addNames(pattern: BindingPattern | ParamPattern | null, names: Set<string>): void {
  if (pattern === null) return;
  if (pattern.type === 'Identifier') names.add(pattern.name);
  else for (const part of partsOf(pattern)) addNames(part, names);
}

function partsOf(pattern: BindingPattern | ParamPattern): (BindingPattern | ParamPattern | null)[] {
  switch (pattern.type) {
    case 'Identifier':
      return [];
    case 'AssignmentPattern':
      return [pattern.left];
    case 'RestElement':
      return [pattern.argument];
    case 'TSParameterProperty':
      return [pattern.parameter];
    case 'ObjectPattern':
      return pattern.properties.map((property) =>
        property.type === 'RestElement' ? property.argument : property.value,
      );
    case 'ArrayPattern':
      return pattern.elements;
  }
}
