/** Properties that are not set are empty. */
const unset = new Proxy(Object.create(null), { get: () => '' });

/** Inline styles, stored without parsing. */
class InlineStyle {
  static {
    Object.setPrototypeOf(InlineStyle.prototype, unset);
  }

  setProperty(name: string, value: string): void {
    Object.assign(this, { [name]: value });
  }

  getPropertyValue(name: string): string {
    return String(Reflect.get(this, name));
  }

  removeProperty(name: string): void {
    Reflect.deleteProperty(this, name);
  }
}

/**
 * jsdom parses each value and writes the style attribute again, and parses Mantine's variables each time the console
 * opens, although these tests have no layout.
 */
export function installFastStyles(): void {
  const styles = new WeakMap<Element, InlineStyle>();
  const styleOf = (element: Element): InlineStyle => {
    let style = styles.get(element);
    if (!style) {
      style = new InlineStyle();
      styles.set(element, style);
    }
    return style;
  };
  for (const { prototype } of [HTMLElement, SVGElement]) {
    Object.defineProperty(prototype, 'style', {
      configurable: true,
      get(this: Element) {
        return styleOf(this);
      },
    });
  }
  Object.defineProperty(HTMLStyleElement.prototype, 'innerHTML', { configurable: true, set() {} });
}
