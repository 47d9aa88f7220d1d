import type MarkdownIt from 'markdown-it';
import { CodeBudget } from '../typesetting/bounded-line';
import { FormulaBudget } from '../typesetting/formulas';

/** The properties of an uploaded image that messages need. */
export interface UploadedPicture {
  /** In pixels, with the orientation applied. */
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
  /** The name of a large converted version, for formats that browsers do not show; null otherwise. */
  readonly transcoded: string | null;
  /** Whether thumbnails are pending, exist, or cannot be made. */
  readonly thumbnails: 'waiting' | 'made' | 'none';
}

/** An uploaded file that messages show as more than a link. */
export interface UploadedMedia {
  /** In lower case, without parameters. */
  readonly contentType: string;
  /** Null unless the file is an image that the server can read. */
  readonly picture: UploadedPicture | null;
}

/** A format of thumbnails. */
export interface ThumbnailFormat {
  /** The last segment of its URL. */
  readonly name: string;
  /** Maximum width in pixels. */
  readonly maxWidth: number;
  readonly maxHeight: number;
  readonly format: 'webp';
  readonly isAnimated: boolean;
}

const SIZE = { maxWidth: 840, maxHeight: 560, format: 'webp' } as const;

/** The thumbnail of every image; for animated ones, the first frame. */
export const STILL_THUMBNAIL: ThumbnailFormat = { ...SIZE, name: '840x560.webp', isAnimated: false };

/** The animated thumbnail of an animated image. */
export const ANIMATED_THUMBNAIL: ThumbnailFormat = { ...SIZE, name: '840x560-anim.webp', isAnimated: true };

const VIDEO = new Set(['video/mp4', 'video/webm', 'video/quicktime']);
const AUDIO = new Set(['audio/aac', 'audio/flac', 'audio/x-flac', 'audio/mpeg', 'audio/wav']);

/** Whether the file plays in a video player. */
export function isVideo({ contentType }: UploadedMedia): boolean {
  return VIDEO.has(contentType);
}

/** Whether the file plays in an audio player. */
export function isAudio({ contentType }: UploadedMedia): boolean {
  return AUDIO.has(contentType);
}

/** A person whom a message may mention; always silently if the account is deactivated. */
export interface MentionableUser {
  readonly id: number;
  readonly fullName: string;
  readonly isActive: boolean;
}

/** What a name in a message may refer to: a channel or a user group. */
export interface NamedReference {
  readonly id: number;
  readonly name: string;
}

/** A part of a text that becomes a link; `start` and `end` are offsets into the text. */
export interface LinkMatch {
  readonly start: number;
  readonly end: number;
  /** The text of the link. */
  readonly text: string;
  readonly url: string;
}

/** A pattern of the organization that turns text into links. */
export interface LinkFinder {
  readonly id: number;
  /** The matches in the text, in order and without overlap; in time linear in the text. */
  matches(text: string): Iterable<LinkMatch>;
}

/** An emoji of the organization. */
export interface CustomEmojiPicture {
  readonly id: number;
  readonly name: string;
  readonly url: string;
}

/** What the text of a message may refer to. Every lookup is answered from memory; names are case-insensitive. */
export interface RenderContext {
  userById(id: number): MentionableUser | undefined;
  usersByName(fullName: string): readonly MentionableUser[];
  groupByName(name: string): NamedReference | undefined;
  channelByName(name: string): NamedReference | undefined;
  /** The newest message of a topic, if the author may read it and the text links to the topic. */
  newestIn(channelId: number, topic: string): number | undefined;
  /** An active emoji of the organization; it takes precedence over a Unicode emoji of the same name. */
  customEmoji(name: string): CustomEmojiPicture | undefined;
  /** Linkifiers that may match the text, in order of precedence: the first match at a position wins. */
  linkifiers(text: string): readonly LinkFinder[];
  /**
   * The uploaded file at a path after `/user_uploads/`; undefined if the link stays a link. Omitted where no files are
   * shown.
   */
  uploaded?(path: string): UploadedMedia | undefined;
  /** Whether mentions stay text, because the author may not notify anyone. */
  readonly mentionsStayText?: boolean;
  /** Whether emoticons such as `:)` become emoji, according to the author's setting. */
  readonly translatesEmoticons?: boolean;
  /** The default language of code blocks; '' for none. */
  readonly defaultCodeLanguage: string;
  /** The URL of the server, such as `https://chat.example.com`; links to it become relative. */
  readonly siteUrl: string;
}

/**
 * The context and the results of one rendering. The parser is shared by all renderings; this object is markdown-it's
 * environment.
 */
export class RenderState {
  readonly mentionedUserIds = new Set<number>();
  readonly mentionedGroupIds = new Set<number>();
  readonly attachmentPaths = new Set<string>();
  channelWildcard = false;
  topicWildcard = false;
  hasLink = false;
  hasImage = false;
  /** Whether the parser is inside a quotation, where mentions are silent because another author wrote them. */
  insideQuotation = false;
  /** Depth of open spoilers. */
  spoilers = 0;
  // Most messages have neither code nor formulas.
  private code?: CodeBudget;
  private formulas?: FormulaBudget;

  constructor(readonly context: RenderContext) {}

  get codeBudget(): CodeBudget {
    return (this.code ??= new CodeBudget());
  }

  get formulaBudget(): FormulaBudget {
    return (this.formulas ??= new FormulaBudget());
  }

  /** Characters of HTML produced for code and formulas so far. */
  get typesetLength(): number {
    return (this.code?.markupWritten ?? 0) + (this.formulas?.htmlWritten ?? 0);
  }

  static of(parserState: { env: unknown }): RenderState {
    return parserState.env as RenderState;
  }
}

/** A rendered message, and the facts about its content that the server needs. */
export interface RenderedMarkdown {
  /** Sanitized; safe to display. */
  readonly html: string;
  /** People who are notified; here and below, silent mentions and those in quotations are left out. */
  readonly mentionedUserIds: ReadonlySet<number>;
  readonly mentionedGroupIds: ReadonlySet<number>;
  /** Whether everyone in the channel or conversation is mentioned. */
  readonly channelWildcard: boolean;
  /** Whether all participants of the topic are mentioned. */
  readonly topicWildcard: boolean;
  readonly hasLink: boolean;
  readonly hasImage: boolean;
  readonly hasAttachment: boolean;
  /** Paths of linked uploaded files, after `/user_uploads/`, percent-decoded. */
  readonly attachmentPaths: readonly string[];
  /** Whether the message is a single paragraph after `/me `, shown as a third-person sentence about the sender. */
  readonly isMeMessage: boolean;
  /** The visible text without code blocks, for alert words. */
  readonly prose: string;
}

type Attributes = Record<string, string>;

/** A token for an HTML element that contains only text, or for a void element whose description is the text. */
export function fillElement(
  token: MarkdownIt.Token,
  tag: string,
  attributes: Attributes,
  text: string,
): MarkdownIt.Token {
  token.type = 'element';
  token.tag = tag;
  token.attrs = Object.entries(attributes);
  token.content = text;
  return token;
}

/** Appends an element as made by `fillElement` to the inline tokens. */
export function pushElement(
  inline: MarkdownIt.StateInline,
  tag: string,
  attributes: Attributes,
  text: string,
): void {
  fillElement(inline.push('element', tag, 0), tag, attributes, text);
}

/** Whether the parser is within the text of a link, where no other link may start. */
export function isInsideLink(inline: MarkdownIt.StateInline): boolean {
  // Missing from the published types.
  return (inline as MarkdownIt.StateInline & { readonly linkLevel: number }).linkLevel > 0;
}

/** Plugin: renders the tokens made by the functions above. */
export function elements(md: MarkdownIt): void {
  md.renderer.rules.element = (tokens, index, _options, _env, renderer) => {
    const token = tokens[index]!;
    const opening = `<${token.tag}${renderer.renderAttrs(token)}>`;
    return token.tag === 'img' ? opening : `${opening}${md.utils.escapeHtml(token.content)}</${token.tag}>`;
  };
}
