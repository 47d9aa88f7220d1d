/** A person a message may mention. */
export interface MentionableUser {
  readonly id: number;
  readonly fullName: string;
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

/** A pattern of the organization that turns text into links (groups reference 10.5). */
export interface Linkifier {
  readonly id: number;
  /** The places in the text that match, in order and without overlap; in time linear in the text. */
  matches(text: string): Iterable<LinkMatch>;
}

/** What the text of a message may refer to. Every lookup is answered from memory, in no particular casing of names. */
export interface RenderContext {
  userById(id: number): MentionableUser | undefined;
  usersByName(fullName: string): readonly MentionableUser[];
  groupByName(name: string): NamedReference | undefined;
  channelByName(name: string): NamedReference | undefined;
  /** An active emoji of the organization; these come before Unicode emoji of the same name. */
  customEmoji(name: string): { readonly id: number; readonly name: string; readonly url: string } | undefined;
  /** Those that may match in the text, in the order in which they are tried: the first that matches a place wins. */
  linkifiers(text: string): readonly Linkifier[];
  /** Whether mentions stay text, as nobody is to be called by whoever wrote this. */
  readonly mentionsStayText?: boolean;
  /** Where the server is reached, such as `https://chat.example.com`; links to it are made relative. */
  readonly siteUrl: string;
}
