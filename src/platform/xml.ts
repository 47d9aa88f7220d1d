/**
 * An element of a parsed document, reduced to the properties in use: the types of the library need those of browsers.
 */
export interface XmlElement {
  readonly nodeType: number;
  readonly localName: string;
  readonly namespaceURI: string | null;
  readonly textContent: string | null;
  readonly childNodes: ArrayLike<XmlElement>;
  /** Includes namespace declarations. */
  readonly attributes: { readonly length: number };
  getAttribute(name: string): string | null;
}

interface XmlDom {
  readonly DOMParser: new (options: object) => {
    parseFromString(text: string, type: string): { readonly childNodes: ArrayLike<XmlElement> } | undefined;
  };
}

/** The text is not XML, or uses a construct that no caller needs and attacks rely on. */
export class MalformedXml extends Error {}

const ELEMENT = 1;
const TEXT = 3;
const COMMENT = 8;

/**
 * Parses XML in UTF-8. Refuses malformed documents, and refuses document types, and with them entities, before parsing.
 * @throws MalformedXml
 */
export function parseXml(text: string): XmlElement {
  const content = text.replace(DECLARATION, '');
  if (FORBIDDEN.test(content))
    throw new MalformedXml(
      'document types, processing instructions and paragraph separators are not accepted',
    );
  if (!content.trimStart().startsWith('<')) throw new MalformedXml('it does not start with an element');
  const refuse = (_level: string, message: unknown) => {
    // The position that follows is unknown.
    const [problem = ''] = String(message).split('\n@', 1);
    throw new MalformedXml(problem.replaceAll(/\s+/g, ' ').slice(0, 200));
  };
  // Without a locator: the library computes line numbers in quadratic time.
  const document = new (xmlDom().DOMParser)({ errorHandler: refuse }).parseFromString(content, 'text/xml');
  const nodes = Array.from(document?.childNodes ?? []);
  const roots = nodes.filter(({ nodeType }) => nodeType === ELEMENT);
  const isBlank = ({ nodeType, textContent }: XmlElement) =>
    nodeType === COMMENT || (nodeType === TEXT && (textContent ?? '').trim() === '');
  const [root] = roots;
  if (!root || nodes.some((node) => node !== root && !isBlank(node)))
    throw new MalformedXml('it must have one root element');
  return root;
}

/** The child elements with a name. */
export function childrenOf(element: XmlElement, namespace: string, name: string): XmlElement[] {
  return elementsIn(element).filter(
    ({ localName, namespaceURI }) => localName === name && namespaceURI === namespace,
  );
}

/** All child elements. */
export function elementsIn({ childNodes }: XmlElement): XmlElement[] {
  return Array.from(childNodes).filter(({ nodeType }) => nodeType === ELEMENT);
}

/** Escapes a string as element text or attribute value. */
export function escapedXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A declared encoding other than UTF-8 would be read differently from what was signed. */
const DECLARATION =
  /^\uFEFF?\s*<\?xml\s+version=["']1\.0["'](?:\s+encoding=["']utf-8["'])?(?:\s+standalone=["']\w+["'])?\s*\?>/i;

/** The library loops forever on U+2029, and parses signed text again with its own settings. */
const FORBIDDEN = /<!(?!--|\[CDATA\[)|<\?|\u2029/;

/** Loaded when the first provider needs it. */
function xmlDom(): XmlDom {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it at the start, and bring the types of browsers
  return require('@xmldom/xmldom') as XmlDom;
}
