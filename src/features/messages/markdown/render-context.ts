import type MarkdownIt from 'markdown-it';
import { CodeBudget } from '../typesetting/bounded-line';
import { FormulaBudget } from '../typesetting/formulas';

/** An uploaded picture, as far as messages show it. */
export interface UploadedPicture {
  /** Pixels, as it is to be shown: upright. */
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
  /** The name of a large version of it, where browsers do not show files of its kind; null otherwise. */
  readonly transcoded: string | null;
  /** Whether smaller versions are still to be made, are there, or are not to be had. */
  readonly thumbnails: 'waiting' | 'made' | 'none';
}

/** An uploaded file, as far as messages show more of it than a link. */
export interface UploadedMedia {
  /** In lower case, without parameters. */
  readonly contentType: string;
  /** Null for what is not a picture that the server can read. */
  readonly picture: UploadedPicture | null;
}

/** A smaller version that the server makes of pictures. */
export interface ThumbnailFormat {
  /** The last part of its address. */
  readonly name: string;
  /** Pixels that it has at most. */
  readonly maxWidth: number;
  readonly maxHeight: number;
  readonly format: 'webp';
  readonly isAnimated: boolean;
}

const SIZE = { maxWidth: 840, maxHeight: 560, format: 'webp' } as const;

/** The smaller version of every picture; of one that moves, its first frame. */
export const STILL_THUMBNAIL: ThumbnailFormat = { ...SIZE, name: '840x560.webp', isAnimated: false };

/** The smaller version of a picture that moves. */
export const ANIMATED_THUMBNAIL: ThumbnailFormat = { ...SIZE, name: '840x560-anim.webp', isAnimated: true };

const VIDEO = new Set(['video/mp4', 'video/webm', 'video/quicktime']);
const AUDIO = new Set(['audio/aac', 'audio/flac', 'audio/x-flac', 'audio/mpeg', 'audio/wav']);

/** Whether a player for moving pictures shows the file. */
export function isVideo({ contentType }: UploadedMedia): boolean {
  return VIDEO.has(contentType);
}

/** Whether a player for sound plays the file. */
export function isAudio({ contentType }: UploadedMedia): boolean {
  return AUDIO.has(contentType);
}

/** A person a message may mention; silently, once the account is deactivated. */
export interface MentionableUser {
  readonly id: number;
  readonly fullName: string;
  readonly isActive: boolean;
}

/** What a name in a message may stand for: a channel or a user group. */
export interface NamedReference {
  readonly id: number;
  readonly name: string;
}

/** One place in a text that becomes a link; `start` and `end` are offsets into that text. */
export interface LinkMatch {
  readonly start: number;
  readonly end: number;
  /** What the link shows. */
  readonly text: string;
  readonly url: string;
}

/** A pattern of the organization that turns text into links. */
export interface LinkFinder {
  readonly id: number;
  /** The places in the text that match, in order and without overlap; in time linear in the text. */
  matches(text: string): Iterable<LinkMatch>;
}

/** An emoji of the organization. */
export interface CustomEmojiPicture {
  readonly id: number;
  readonly name: string;
  readonly url: string;
}

/** What the text of a message may refer to. Every lookup is answered from memory, in no particular casing of names. */
export interface RenderContext {
  userById(id: number): MentionableUser | undefined;
  usersByName(fullName: string): readonly MentionableUser[];
  groupByName(name: string): NamedReference | undefined;
  channelByName(name: string): NamedReference | undefined;
  /** The newest message of a topic, if the author may read it and the topic was among the topics that the text links to. */
  newestIn(channelId: number, topic: string): number | undefined;
  /** An active emoji of the organization; these come before Unicode emoji of the same name. */
  customEmoji(name: string): CustomEmojiPicture | undefined;
  /** Those that may match in the text, in the order in which they are tried: the first that matches a place wins. */
  linkifiers(text: string): readonly LinkFinder[];
  /**
   * What is known of an uploaded file, by what stands after `/user_uploads/`: undefined for what stays a link. Left out
   * where no file is shown.
   */
  uploaded?(path: string): UploadedMedia | undefined;
  /** Whether mentions stay text, because the author may notify no one. */
  readonly mentionsStayText?: boolean;
  /** Whether `:)` and the like become emoji, as the author chose. */
  readonly translatesEmoticons?: boolean;
  /** The word for the language of code that is given none; '' where it has none. */
  readonly defaultCodeLanguage: string;
  /** Where the server is reached, such as `https://chat.example.com`; links to it are made relative. */
  readonly siteUrl: string;
}

/**
 * What one rendering knows and finds out. The parser is shared by all renderings; this object travels with each
 * of them as markdown-it's environment.
 */
export class RenderState {
  readonly mentionedUserIds = new Set<number>();
  readonly mentionedGroupIds = new Set<number>();
  readonly attachmentPaths = new Set<string>();
  channelWildcard = false;
  topicWildcard = false;
  hasLink = false;
  hasImage = false;
  /** Mentions within a quotation are silent: another author wrote them. */
  insideQuotation = false;
  /** How many spoilers the parser is in. */
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

  /** Characters of HTML that code and formulas took so far. */
  get typesetLength(): number {
    return (this.code?.markupWritten ?? 0) + (this.formulas?.htmlWritten ?? 0);
  }

  static of(parserState: { env: unknown }): RenderState {
    return parserState.env as RenderState;
  }
}

/** A message as readers see it, and what the server has to know about its content. */
export interface RenderedMarkdown {
  /** Safe to be shown as it is. */
  readonly html: string;
  /** People who are notified; silent mentions and those in quotations are left out here and below. */
  readonly mentionedUserIds: ReadonlySet<number>;
  readonly mentionedGroupIds: ReadonlySet<number>;
  /** Everybody in the channel (or the conversation) is mentioned. */
  readonly channelWildcard: boolean;
  /** Everybody who takes part in the topic is mentioned. */
  readonly topicWildcard: boolean;
  readonly hasLink: boolean;
  readonly hasImage: boolean;
  readonly hasAttachment: boolean;
  /** The uploaded files linked to: what stands after `/user_uploads/`, percent-decoded. */
  readonly attachmentPaths: readonly string[];
  /** A single paragraph after `/me `, told about the sender in the third person. */
  readonly isMeMessage: boolean;
  /** The visible text without blocks of code, for alert words. */
  readonly prose: string;
}

type Attributes = Record<string, string>;

/** The token of an HTML element that holds nothing but text, or of a void element if the text is its description. */
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

/** Appends such an element to the inline tokens. */
export function pushElement(
  inline: MarkdownIt.StateInline,
  tag: string,
  attributes: Attributes,
  text: string,
): void {
  fillElement(inline.push('element', tag, 0), tag, attributes, text);
}

/** True within the text of a link, where no other link may begin. */
export function isInsideLink(inline: MarkdownIt.StateInline): boolean {
  // The published types lack the counter.
  return (inline as MarkdownIt.StateInline & { readonly linkLevel: number }).linkLevel > 0;
}

/** Plugin: renders the tokens made above. */
export function elements(md: MarkdownIt): void {
  md.renderer.rules.element = (tokens, index, _options, _env, renderer) => {
    const token = tokens[index]!;
    const opening = `<${token.tag}${renderer.renderAttrs(token)}>`;
    return token.tag === 'img' ? opening : `${opening}${md.utils.escapeHtml(token.content)}</${token.tag}>`;
  };
}
