import sanitizeHtml from 'sanitize-html';
import { endOfCodeBlock, endOfFormula } from '../typesetting/typeset-check';
import { SAFE_SCHEMES } from './urls';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
};

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const ALIGNMENTS = ['left', 'center', 'right'].map((side) => `text-align: ${side};`);
const alignment = { name: 'style', values: ALIGNMENTS };

/** Attributes of an uploaded image that clients may use. */
const MEASURES = [
  'data-animated',
  'data-original-content-type',
  'data-original-dimensions',
  'data-transcoded-image',
];

/** Exactly the markup that the renderer produces. */
const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: (
    'p br hr h1 h2 h3 h4 h5 h6 strong em del code pre blockquote ul ol li ' +
    'table thead tbody tr th td a span div img audio video time'
  ).split(' '),
  allowedAttributes: {
    a: ['href', 'title', 'data-stream-id'],
    span: ['data-user-id', 'data-user-group-id', 'aria-label', 'role', 'title'],
    div: ['data-code-language', 'aria-hidden'],
    img: [...MEASURES, 'alt', 'data-original-src', 'src', 'title'],
    audio: ['controls', 'preload', 'src', 'title'],
    video: ['preload', 'src'],
    ol: ['start'],
    th: [alignment],
    td: [alignment],
    time: ['datetime'],
  },
  allowedClasses: {
    a: ['stream', 'stream-topic', 'message-link'],
    div: [
      'codehilite',
      'spoiler-block',
      'spoiler-header',
      'spoiler-content',
      'message_inline_image',
      'message_inline_video',
    ],
    img: ['emoji', 'inline-image', 'image-loading-placeholder'],
    span: [
      'user-mention',
      'user-group-mention',
      'channel-wildcard-mention',
      'topic-mention',
      'tex-error',
      'silent',
      'emoji',
      'emoji-*',
    ],
  },
  allowedSchemes: SAFE_SCHEMES,
  allowedSchemesByTag: { img: ['http', 'https'], audio: [], video: [] },
  allowProtocolRelative: false,
  nestingLimit: 100,
  parseStyleAttributes: false,
};

/** Placeholder for HTML that is already sanitized. No other `time` element lacks a value. */
const STAND_IN = '<time></time>';

/** Starts of parts that are checked separately, because sanitizing their many tags would be slow. */
const PART = /<div class="codehilite"|<span class="katex(?:-display)?">/g;

/** What passes unchanged: text, simple tags, and the usual forms of web links, mentions and emoji. */
const PLAIN = new RegExp(
  [
    '[^<>&]+|&(?:amp|lt|gt|quot);|<br>|<time></time>',
    '<(/)?(p|strong|em|del|code|ul|ol|li|blockquote|a|span)>',
    '<(a) href="https?://(?:[\\w.~:/?#@!$()*+,;=%-]|&amp;)+">',
    '<(span) class="user-mention(?: silent)?" data-user-id="\\d+">',
    '<(span) aria-label="[\\w +-]+" class="emoji emoji-[\\da-f-]+" role="img" title="[\\w +-]+">',
  ].join('|'),
  'y',
);

const BLOCKS = new Set([undefined, 'li', 'blockquote']);
const LISTS = new Set([undefined, 'ul', 'ol']);

/** The tags directly inside which a block may begin. In others, the parser would first add end tags. */
const HOLDERS = new Map([
  ...['p', 'ul', 'ol', 'blockquote'].map((tag) => [tag, BLOCKS] as const),
  ['li', LISTS] as const,
]);

/** Far below the depth at which nesting is cut. */
const MAX_PLAIN_DEPTH = 20;

/** The last line of defense: whatever the renderer does, only the markup above passes. */
export function sanitize(html: string): string {
  if (!html.includes('<div class="codehilite"') && !html.includes('<span class="katex')) return cleaned(html);
  const { rest, parts } = setAside(html);
  const around = cleaned(rest).split(STAND_IN);
  if (around.length !== parts.length + 1) return cleaned(html);
  return around.map((text, index) => text + (parts[index] ?? '')).join('');
}

/** Sets aside parts whose form is known to be harmless. */
function setAside(html: string): { rest: string; parts: string[] } {
  const parts: string[] = [];
  if (html.includes(STAND_IN)) return { rest: html, parts };
  let rest = '';
  let end = 0;
  for (const { index, 0: begin } of html.matchAll(PART)) {
    if (index < end) continue;
    const after = begin.startsWith('<div') ? endOfCodeBlock(html, index) : endOfFormula(html, index);
    if (after === undefined) continue;
    rest += html.slice(end, index) + STAND_IN;
    parts.push(html.slice(index, after));
    end = after;
  }
  return { rest: rest + html.slice(end), parts };
}

function cleaned(html: string): string {
  // Most messages contain nothing to remove, and parsing them would cost as much as the rest of the rendering.
  if (isPlain(html)) return html.replaceAll('&quot;', '"');
  // The library writes void elements in XML form. Text and attributes contain no bare `>`.
  return sanitizeHtml(html, ALLOWED).replaceAll(' />', '>');
}

/** Whether the HTML is entirely {@link PLAIN}, with balanced tags and no block inside one that it would end. */
function isPlain(html: string): boolean {
  const open: string[] = [];
  for (PLAIN.lastIndex = 0; PLAIN.lastIndex < html.length;) {
    const token = PLAIN.exec(html);
    if (!token) return false;
    const [, slash, bare, link, mention, emoji] = token;
    const tag = bare ?? link ?? mention ?? emoji;
    if (tag === undefined) continue;
    if (slash) {
      if (open.pop() !== tag) return false;
      continue;
    }
    if (HOLDERS.get(tag)?.has(open.at(-1)) === false) return false;
    if (open.push(tag) > MAX_PLAIN_DEPTH) return false;
  }
  return open.length === 0;
}
