/** Creates an element with properties and children. Strings become text nodes and are never parsed as HTML. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Finds an element that the server rendered. */
export function existing<Found extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): Found {
  const element = within.querySelector<Found>(selector);
  if (!element) throw new Error(`The page has no ${selector}.`);
  return element;
}
