/** Allowed text between tags. */
const CODE_TEXT = '[^<>&]+|&(?:amp|lt|gt);';

const KINDS =
  'bp c c1 ch cm cp cpf cs dl err esc fm g gd ge ges gh gi go gp gr gs gt gu il k kc kd kn kp kr kt l ld m mb mf mh mi mo ' +
  'n na nb nc nd ne nf ni nl nn no nt nv nx o ow p pm py s s1 s2 sa sb sc sd se sh si sr ss sx vc vg vi vm w x';
const CODE_HEAD =
  /<div class="codehilite"(?: data-code-language="[\w .+#/'-]{1,60}")?><pre><span><\/span><code>/y;
const CODE_TAIL = '</code></pre></div>';
const CODE_PIECE = new RegExp(`${CODE_TEXT}|<span class="(?:${KINDS.replaceAll(' ', '|')})">|(</span>)`, 'y');

/** The end of the code block that begins at `start`, if it has exactly the form that the renderer produces. */
export function endOfCodeBlock(html: string, start: number): number | undefined {
  CODE_HEAD.lastIndex = start;
  if (!CODE_HEAD.test(html)) return undefined;
  let isInToken = false;
  let position = CODE_HEAD.lastIndex;
  while (isInToken || !html.startsWith(CODE_TAIL, position)) {
    CODE_PIECE.lastIndex = position;
    const piece = CODE_PIECE.exec(html);
    if (!piece) return undefined;
    if (piece[0].startsWith('<')) {
      const closes = piece[1] !== undefined;
      if (closes !== isInToken) return undefined;
      isInToken = !closes;
    }
    position = CODE_PIECE.lastIndex;
  }
  return position + CODE_TAIL.length;
}

/** Allowed text between tags. Lone surrogates and control characters are not text, and some databases refuse them. */
const FORMULA_TEXT = /[^<>&\p{Cs}\p{Cc}]+|[\t\n]+|&(?:amp|lt|gt|quot|#x27);/uy;
const TAG = /<(\/?)([a-z]+)((?: [A-Za-z][A-Za-z\d-]*="[^"<>&]*")*)(\/?)>/y;
const ATTRIBUTE = / ([A-Za-z\d-]+)="([^"]*)"/g;

/** Maximum nesting depth of rendered HTML. */
const MAX_DEPTH = 200;

/** The elements of formulas, each with its attributes. */
const ELEMENTS: Readonly<Record<'html' | 'svg' | 'mathml', Readonly<Record<string, string>>>> = {
  html: { span: 'class style aria-hidden' },
  svg: {
    svg: 'xmlns width height style viewBox preserveAspectRatio',
    path: 'd',
    line: 'x1 y1 x2 y2 stroke-width',
  },
  mathml: {
    math: 'xmlns display',
    semantics: '',
    annotation: 'encoding',
    menclose: 'notation style',
    mfrac: 'linethickness',
    mi: 'mathvariant stretchy lspace rspace',
    mn: 'mathvariant',
    mo: 'mathvariant stretchy lspace rspace fence minsize maxsize largeop separator',
    mover: 'accent',
    mpadded: 'class width height depth lspace voffset style mathbackground',
    mphantom: '',
    mroot: '',
    mrow: '',
    mspace: 'width height depth mathbackground linebreak',
    msqrt: '',
    mstyle: 'mathcolor mathsize scriptlevel displaystyle style',
    msub: '',
    msubsup: '',
    msup: '',
    mtable: 'rowspacing rowlines columnalign columnspacing columnlines width',
    mtd: 'class width',
    mtext: 'mathvariant',
    mtr: '',
    munder: 'accentunder',
    munderover: '',
  },
};

const KIND_OF_ELEMENT = new Map(
  Object.entries(ELEMENTS).flatMap(([kind, elements]) => Object.keys(elements).map((name) => [name, kind])),
);
const ATTRIBUTES = new Map(
  Object.values(ELEMENTS).flatMap((elements) =>
    Object.entries(elements).map(([name, attributes]) => [name, new Set(attributes.split(' '))] as const),
  ),
);

const LENGTH = String.raw`(?:-?\d{0,3}(?:\.\d+)?(?:em|ex|px|pt|%)?)`;
const COLOUR = '(?:#?[A-Za-z\\d]{1,30})';
const DECLARATION = new RegExp(
  '^(?:position:relative' +
    '|(?:height|width|min-width|top|bottom|left|margin|margin-(?:top|left|right)|padding-left|vertical-align' +
    `|border-width|border-(?:top|bottom|right)-width|text-shadow): ?${LENGTH}(?: ${LENGTH}){0,3}` +
    `|width:calc\\(100% - ${LENGTH}\\)|border-style:solid|border-right-style:(?:solid|dashed)` +
    `|(?:color|background-color|border-color):${COLOUR}|border: ${LENGTH} solid ${COLOUR})$`,
);

/** Attributes with their own syntax; all others contain words, numbers and lengths. */
const VALUES: Readonly<Record<string, RegExp>> = {
  class: /^[a-z][\w-]*(?: [a-z][\w-]*)*$/,
  d: /^[\w\s.,+-]*$/,
  encoding: /^application\/x-tex$/,
  mathbackground: /^#?[A-Za-z\d]+$/,
  mathcolor: /^#?[A-Za-z\d]+$/,
  xmlns: /^http:\/\/www\.w3\.org\/(?:1998\/Math\/MathML|2000\/svg)$/,
};
const WORDS = /^[\w .%+-]*$/;

/**
 * The end of the formula that begins at `start`, if it has the form that KaTeX produces: known elements and attributes,
 * balanced tags, and HTML, MathML and SVG nested only where allowed.
 */
export function endOfFormula(html: string, start: number): number | undefined {
  const open: string[] = [];
  let position = start;
  do {
    const tag = matchAt(TAG, html, position);
    if (tag) {
      if (!follows(tag, open)) return undefined;
      position = TAG.lastIndex;
    } else {
      if (open.length === 0 || !matchAt(FORMULA_TEXT, html, position)) return undefined;
      position = FORMULA_TEXT.lastIndex;
    }
  } while (open.length > 0);
  return position;
}

function matchAt(pattern: RegExp, html: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(html);
}

/** Whether a tag is allowed at this position; opens or closes its element. */
function follows([, closes, name, attributes, isVoid]: RegExpExecArray, open: string[]): boolean {
  if (closes) return attributes === '' && !isVoid && open.pop() === name;
  if (!isAllowedIn(name!, open.at(-1)) || !hasAttributes(name!, attributes!)) return false;
  if (isVoid) return name !== 'span';
  return open.push(name!) <= MAX_DEPTH;
}

function isAllowedIn(name: string, parent: string | undefined): boolean {
  if (name === 'span') return parent === undefined || parent === 'span';
  if (name === 'math' || name === 'svg') return parent === 'span';
  if (parent === undefined || parent === 'span' || parent === 'annotation') return false;
  return KIND_OF_ELEMENT.has(name) && KIND_OF_ELEMENT.get(parent) === KIND_OF_ELEMENT.get(name);
}

function hasAttributes(name: string, attributes: string): boolean {
  const allowed = ATTRIBUTES.get(name);
  return Array.from(attributes.matchAll(ATTRIBUTE)).every(([, attribute, value]) => {
    if (!allowed?.has(attribute!)) return false;
    if (attribute === 'style')
      return value!.split(';').every((part) => part === '' || DECLARATION.test(part));
    return (VALUES[attribute!] ?? WORDS).test(value!);
  });
}
