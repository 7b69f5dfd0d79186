type Test = (element: Element) => boolean;

const attribute = String.raw`\[[\w-]+(?:[~^]?=(?:"[^"\\]*"|[\w-]+))?\]`;
const condition = /#([\w-]+)|\.([\w-]+)|(:not\()?\[([\w-]+)(?:([~^]?=)"?([^"\]]*)"?)?\]\)?/g;
/** A tag with an id, classes, and attributes that must be present, absent, or have or not have a value. */
const compoundForm = new RegExp(
  String.raw`^(\*|[a-z][a-z0-9]*)?((?:#[\w-]+|\.[\w-]+|${attribute}|:not\(${attribute}\))*)$`,
);
/** Between an ancestor or parent and its descendant. */
const combinator = /\s*(>)\s*|\s+/;

function attributeTest(name: string, operator: string | undefined, value = ''): Test {
  if (operator === undefined) return (element) => element.hasAttribute(name);
  if (operator === '=') return (element) => element.getAttribute(name) === value;
  if (operator === '^=') return (element) => value !== '' && element.getAttribute(name)?.startsWith(value) === true;
  return (element) => element.getAttribute(name)?.split(/\s+/).includes(value) === true;
}

function testOfCompound(selector: string): Test | undefined {
  const [found, tag = '*', conditions = ''] = compoundForm.exec(selector) ?? [];
  if (!found) return undefined;
  const tests = [...conditions.matchAll(condition)].map(([, id, style, not, name = '', operator, value]): Test => {
    if (id !== undefined) return attributeTest('id', '=', id);
    if (style !== undefined) return attributeTest('class', '~=', style);
    const test = attributeTest(name, operator, value);
    return not === undefined ? test : (element) => !test(element);
  });
  if (tag !== '*') tests.unshift((element) => element.localName === tag);
  return (element) => tests.every((test) => test(element));
}

function testOf(selector: string): Test | undefined {
  // jsdom has no top layer, and throws an error for these selectors.
  if (selector === ':popover-open' || selector === ':modal') return () => false;
  const [first = '', ...rest] = selector.trim().split(combinator);
  let test = testOfCompound(first);
  for (let index = 0; index < rest.length; index += 2) {
    const [isParent, above, own] = [rest[index] === '>', test, testOfCompound(rest[index + 1] ?? '')];
    if (!above || !own) return undefined;
    test = (element) => own(element) && isBelow(element, above, isParent);
  }
  return test;
}

/** The parent, or one of the ancestors, matches. */
function isBelow({ parentElement }: Element, test: Test, isParent: boolean): boolean {
  if (isParent) return parentElement !== null && test(parentElement);
  return ancestorOrSelf(parentElement, test) !== null;
}

function ancestorOrSelf(start: Element | null, test: Test): Element | null {
  let element = start;
  while (element && !test(element)) element = element.parentElement;
  return element;
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

function* select(root: Node, test: Test): Generator<Element, void> {
  for (let node: Node | null = root.firstChild; node; node = following(node, root)) {
    if (isElement(node) && test(node)) yield node;
  }
}

const knownTests = new Map<string, Test | undefined>();

function testFor(selector: string): Test | undefined {
  if (!knownTests.has(selector)) knownTests.set(selector, testOfList(selector));
  return knownTests.get(selector);
}

/**
 * Testing Library compares each element with the selectors of up to a hundred roles, and reads all elements for each
 * label. Floating UI matches each ancestor of a popup. Both are slow in jsdom.
 */
export function installFastSelectors(): void {
  const { matches, closest } = Element.prototype;
  Object.assign(Element.prototype, {
    matches(this: Element, selector: string) {
      const test = testFor(selector);
      return test ? test(this) : matches.call(this, selector);
    },
    closest(this: Element, selector: string) {
      const test = testFor(selector);
      return test ? ancestorOrSelf(this, test) : closest.call(this, selector);
    },
  });
  for (const { prototype } of [Element, Document]) {
    const { querySelector, querySelectorAll } = prototype;
    Object.assign(prototype, {
      querySelector(this: ParentNode, selector: string) {
        const test = testFor(selector);
        return test ? (select(this, test).next().value ?? null) : querySelector.call(this, selector);
      },
      querySelectorAll(this: ParentNode, selector: string) {
        const test = testFor(selector);
        return test ? [...select(this, test)] : querySelectorAll.call(this, selector);
      },
    });
  }
}
