type Test = (element: Element) => boolean;

const condition = /(:not\()?\[([\w-]+)(?:(~?=)"([^"\\]*)")?\]\)?/g;
/** A tag with attributes that must be present, absent, or have or not have a value, as in the queries for roles. */
const selectorForm = /^(\*|[a-z][a-z0-9]*)?((?:\[[\w-]+(?:~?="[^"\\]*")?\]|:not\(\[[\w-]+(?:~?="[^"\\]*")?\]\))*)$/;

function attributeTest(name: string, operator: string | undefined, value = ''): Test {
  if (operator === undefined) return (element) => element.hasAttribute(name);
  if (operator === '=') return (element) => element.getAttribute(name) === value;
  return (element) => element.getAttribute(name)?.split(/\s+/).includes(value) === true;
}

function testOf(selector: string): Test | undefined {
  const [found, tag = '*', conditions = ''] = selectorForm.exec(selector) ?? [];
  if (!found) return undefined;
  const tests = [...conditions.matchAll(condition)].map(([, not, name = '', operator, value]): Test => {
    const test = attributeTest(name, operator, value);
    return not === undefined ? test : (element) => !test(element);
  });
  if (tag !== '*') tests.unshift((element) => element.localName === tag);
  return (element) => tests.every((test) => test(element));
}

/** The element matches one of the selectors; undefined if one of them is of another form. */
function testOfList(list: string): Test | undefined {
  const tests = list.split(/,\s*/).map(testOf);
  return tests.includes(undefined) ? undefined : (element) => tests.some((test) => test?.(element));
}

const isElement = (node: Node): node is Element => node.nodeType === Node.ELEMENT_NODE;

/** Next node in document order. */
function following(node: Node, root: Node): Node | null {
  const child = node.firstChild;
  if (child) return child;
  for (let above: Node | null = node; above && above !== root; above = above.parentNode) {
    const { nextSibling } = above;
    if (nextSibling) return nextSibling;
  }
  return null;
}

function select(root: Node, test: Test): Element[] {
  const found: Element[] = [];
  for (let node: Node | null = root.firstChild; node; node = following(node, root)) {
    if (isElement(node) && test(node)) found.push(node);
  }
  return found;
}

/**
 * Testing Library compares each element with the selectors of up to a hundred roles, and reads all elements for each
 * label. jsdom does both slowly.
 */
export function installFastSelectors(): void {
  const tests = new Map<string, Test | undefined>();
  const testFor = (selector: string): Test | undefined => {
    if (!tests.has(selector)) tests.set(selector, testOfList(selector));
    return tests.get(selector);
  };
  const { matches } = Element.prototype;
  Object.assign(Element.prototype, {
    matches(this: Element, selector: string) {
      const test = testFor(selector);
      return test ? test(this) : matches.call(this, selector);
    },
  });
  for (const { prototype } of [Element, Document]) {
    const { querySelectorAll } = prototype;
    Object.assign(prototype, {
      querySelectorAll(this: ParentNode, selector: string) {
        const test = testFor(selector);
        return test ? select(this, test) : querySelectorAll.call(this, selector);
      },
    });
  }
}
